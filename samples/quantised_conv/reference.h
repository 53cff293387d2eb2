// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::samples::quantised_conv {

constexpr int kChannels = 64;

// The channel is the fastest dimension of all buffers, as in the pipeline.
struct Layer {
  int width = 0, height = 0, images = 0;
  std::vector<std::int8_t> input;       // channel, x, y, image
  std::vector<std::int8_t> filter;      // channel out, channel in, x, y
  std::vector<std::int32_t> bias;       // channel out
  std::vector<std::int32_t> multiplier; // channel out: a fraction of 2^31
  std::vector<std::int8_t> shift;       // channel out: to the left where it is above zero
  std::int8_t inputZero = 0, outputZero = 0, least = -128, most = 127;
};

// sum * 2^shift * multiplier / 2^31 as the specification rounds it: a product first, whose halves
// go up, then a shift to the right, whose halves go away from zero.
std::int32_t scaled(std::int32_t sum, std::int32_t multiplier, int shift);

// A 3x3 convolution with "same" padding, bias and a range as its activation. The result has the
// dimensions channel (fastest), x, y, image.
std::vector<std::int8_t> reference(const Layer &layer);

} // namespace tessera::samples::quantised_conv
