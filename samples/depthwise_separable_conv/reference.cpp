// SPDX-License-Identifier: MIT
#include "samples/depthwise_separable_conv/reference.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tessera::samples::depthwise_separable_conv {

namespace {

std::array<float, kFrom> filtered(const Layer &layer, int x, int y, int image) {
  std::array<float, kFrom> sums{};
  for (int v = 0; v < 3; ++v)
    for (int u = 0; u < 3; ++u) {
      const int column = x + u - 1, row = y + v - 1;
      if (column < 0 || row < 0 || column >= layer.width || row >= layer.height) continue;
      const std::size_t pixel =
          (static_cast<std::size_t>(image) * layer.height + row) * layer.width + column;
      for (int c = 0; c < kFrom; ++c)
        sums[c] += layer.depthwiseFilter[(v * 3 + u) * kFrom + c] * layer.input[pixel * kFrom + c];
    }
  return sums;
}

} // namespace

std::vector<float> reference(const Layer &layer) {
  std::vector<float> result;
  for (int image = 0; image < layer.images; ++image)
    for (int y = 0; y < layer.height; ++y)
      for (int x = 0; x < layer.width; ++x) {
        const auto channels = filtered(layer, x, y, image);
        for (int to = 0; to < kTo; ++to) {
          float sum = layer.bias[to];
          for (int from = 0; from < kFrom; ++from)
            sum += layer.pointwiseFilter[from * kTo + to] * channels[from];
          result.push_back(std::max(sum, 0.0f));
        }
      }
  return result;
}

} // namespace tessera::samples::depthwise_separable_conv
