// SPDX-License-Identifier: MIT
#include "samples/max_filter/reference.h"

namespace tessera::samples::max_filter {

Image<float> reference(const Image<float> &input, int radius) {
  // `across` holds the maxima over 2 * reach + 1 pixels of a row. They are used for the rows of the
  // disc that are 2 * reach + 1 pixels wide.
  Image<float> result = input, across = input;
  for (int reach = 0; reach <= radius; ++reach) {
    const auto atPixels = [&](auto visit) {
      for (int c = 0; c < input.channels(); ++c)
        for (int y = 0; y < input.height(); ++y)
          for (int x = 0; x < input.width(); ++x)
            visit(x, y, c);
    };
    atPixels([&](int x, int y, int c) {
      float &most = across.at(x, y, c);
      most = std::max({most, input.clamped(x - reach, y, c), input.clamped(x + reach, y, c)});
    });
    for (int v = -radius; v <= radius; ++v) {
      const int room = radius * radius - v * v;
      if (reach * reach > room || (reach + 1) * (reach + 1) <= room) continue;
      atPixels([&](int x, int y, int c) {
        result.at(x, y, c) = std::max(result.at(x, y, c), across.clamped(x, y + v, c));
      });
    }
  }
  return result;
}

} // namespace tessera::samples::max_filter
