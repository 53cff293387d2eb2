// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace tessera::samples::resnet_block {

// A convolution with what follows it: value * scale + shift, by channel of the result.
struct Convolution {
  std::vector<float> filter; // to, x, y, from
  std::vector<float> scale, shift;
};

// All of them with the channel fastest, as the pipeline has them.
struct Block {
  int channels = 0, bottleneck = 0, size = 0, images = 0;
  std::vector<float> input; // channel, x, y, image
  Convolution reduce, spatial, expand;
};

// 1x1, 3x3 with zeros around the picture, 1x1, plus the input; ReLU after each. Channel fastest,
// then x, y, image.
std::vector<float> reference(const Block &block);

} // namespace tessera::samples::resnet_block
