// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace tessera::samples::depthwise_separable_conv {

constexpr int kFrom = 32;
constexpr int kTo = 16;

// All of them with the channel fastest, as the pipeline has them.
struct Layer {
  int width = 0, height = 0, images = 0;
  std::vector<float> input;           // channel, x, y, image
  std::vector<float> depthwiseFilter; // channel, x, y
  std::vector<float> pointwiseFilter; // to, from
  std::vector<float> bias;            // to
};

// A 3x3 filter for each channel with zeros around the picture, a 1x1 convolution, bias, ReLU.
// Channel fastest, then x, y, image.
std::vector<float> reference(const Layer &layer);

} // namespace tessera::samples::depthwise_separable_conv
