// SPDX-License-Identifier: MIT
#include "samples/quantised_conv/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace tessera::samples::quantised_conv {

namespace {

using Sums = std::array<std::int32_t, kChannels>;

void addTap(const Layer &layer, std::size_t pixel, std::size_t tap, Sums &sums) {
  for (std::size_t from = 0; from < kChannels; ++from) {
    const std::int32_t value = layer.input[pixel * kChannels + from] - layer.inputZero;
    const std::int8_t *weights = &layer.filter[(tap * kChannels + from) * kChannels];
    for (std::size_t to = 0; to < kChannels; ++to)
      sums[to] += value * weights[to];
  }
}

// What lies outside the picture is left out.
Sums sumsAt(const Layer &layer, int x, int y, int image) {
  Sums sums;
  std::copy(layer.bias.begin(), layer.bias.end(), sums.begin());
  for (int v = 0; v < 3; ++v)
    for (int u = 0; u < 3; ++u) {
      const int column = x + u - 1, row = y + v - 1;
      if (column < 0 || row < 0 || column >= layer.width || row >= layer.height) continue;
      const int pixel = (image * layer.height + row) * layer.width + column;
      addTap(layer, static_cast<std::size_t>(pixel), static_cast<std::size_t>(v * 3 + u), sums);
    }
  return sums;
}

// The high half of twice a product, to the nearest. A division in C++ goes towards zero, so that
// the half that is added first has a sign.
std::int32_t doubledHighHalf(std::int32_t a, std::int32_t b) {
  constexpr auto kLeast = std::numeric_limits<std::int32_t>::min();
  if (a == kLeast && b == kLeast) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t product = std::int64_t{a} * b;
  const std::int64_t half = std::int64_t{1} << 30;
  return static_cast<std::int32_t>((product + (product < 0 ? 1 - half : half)) / (half * 2));
}

} // namespace

std::int32_t scaled(std::int32_t sum, std::int32_t multiplier, int shift) {
  const std::int32_t product = doubledHighHalf(sum * (1 << std::max(shift, 0)), multiplier);
  // Exact, as a double holds all int32; round() takes halves away from zero.
  return static_cast<std::int32_t>(std::round(std::ldexp(product, std::min(shift, 0))));
}

std::vector<std::int8_t> reference(const Layer &layer) {
  std::vector<std::int8_t> result;
  for (int image = 0; image < layer.images; ++image)
    for (int y = 0; y < layer.height; ++y)
      for (int x = 0; x < layer.width; ++x) {
        const Sums sums = sumsAt(layer, x, y, image);
        for (std::size_t to = 0; to < kChannels; ++to) {
          const std::int32_t code =
              scaled(sums[to], layer.multiplier[to], layer.shift[to]) + layer.outputZero;
          result.push_back(
              static_cast<std::int8_t>(std::clamp<std::int32_t>(code, layer.least, layer.most)));
        }
      }
  return result;
}

} // namespace tessera::samples::quantised_conv
