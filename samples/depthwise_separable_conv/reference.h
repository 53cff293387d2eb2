// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace tessera::samples::depthwise_separable_conv {

constexpr int kFrom = 32;
constexpr int kTo = 16;

// The channel is the fastest dimension of all buffers, as in the pipeline.
struct Layer {
  int width = 0, height = 0, images = 0;
  std::vector<float> input;           // channel, x, y, image
  std::vector<float> depthwiseFilter; // channel, x, y
  std::vector<float> pointwiseFilter; // channel out, channel in
  std::vector<float> bias;            // channel out
};

// A 3x3 filter for each channel with zeros around the picture, then a 1x1 convolution, bias and
// ReLU. The result has the dimensions channel (fastest), x, y, image.
std::vector<float> reference(const Layer &layer);

} // namespace tessera::samples::depthwise_separable_conv
