// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace tessera::samples::resnet_block {

// A convolution and what follows it: value * scale + shift for each channel of the result.
struct Convolution {
  std::vector<float> filter; // channel out, x, y, channel in
  std::vector<float> scale, shift;
};

// The channel is the fastest dimension of all buffers, as in the pipeline.
struct Block {
  int channels = 0, bottleneck = 0, size = 0, images = 0;
  std::vector<float> input; // channel, x, y, image
  Convolution reduce, spatial, expand;
};

// Convolutions of 1x1, 3x3 (with zeros around the picture) and 1x1, plus the input, with a ReLU
// after each. The result has the dimensions channel (fastest), x, y, image.
std::vector<float> reference(const Block &block);

} // namespace tessera::samples::resnet_block
