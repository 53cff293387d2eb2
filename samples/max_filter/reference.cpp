// SPDX-License-Identifier: MIT
#include "samples/max_filter/reference.h"

namespace tessera::samples::max_filter {

Image<float> reference(const Image<float> &input, int radius) {
  Image<float> result(input.width(), input.height(), input.channels());
  for (int c = 0; c < input.channels(); ++c)
    for (int y = 0; y < input.height(); ++y)
      for (int x = 0; x < input.width(); ++x) {
        float most = input.at(x, y, c);
        for (int v = -radius; v <= radius; ++v)
          for (int u = -radius; u <= radius; ++u)
            if (u * u + v * v <= radius * radius)
              most = std::max(most, input.clamped(x + u, y + v, c));
        result.at(x, y, c) = most;
      }
  return result;
}

} // namespace tessera::samples::max_filter
