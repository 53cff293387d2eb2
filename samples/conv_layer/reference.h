// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace tessera::samples::conv_layer {

// The channel is the fastest dimension of all buffers, as in the pipeline.
struct Layer {
  int channels = 0, width = 0, height = 0, images = 0; // of the output
  int inputs = 0;                                      // channels of the input
  std::vector<float> input;                            // channel, x, y, image; 2 larger in x and y
  std::vector<float> filter;                           // channel out, x, y, channel in
  std::vector<float> bias;
};

// A 3x3 convolution, bias and ReLU. The result has the dimensions channel (fastest), x, y, image.
std::vector<float> reference(const Layer &layer);

} // namespace tessera::samples::conv_layer
