// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>

namespace tessera::samples::lens_blur {

// Two views of a square in front of a wall; the square and the wall have different textures. In the
// right view, each is shifted to the right by two pixels per slice (squareSlice, wallSlice).
struct StereoPair {
  StereoPair(int width, int height, int squareSlice, int wallSlice)
      : left(width, height, 3), right(width, height, 3) {
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          left.at(x, y, c) = isSquare(x, y) ? texture(x, y, c, 1) : texture(x, y, c, 2);
          const int squareX = x - 2 * squareSlice, wallX = x - 2 * wallSlice;
          right.at(x, y, c) =
              isSquare(squareX, y) ? texture(squareX, y, c, 1) : texture(wallX, y, c, 2);
        }
  }

  // The square is the middle half of the left view in both dimensions.
  bool isSquare(int x, int y) const {
    return 4 * x >= left.width() && 4 * x < 3 * left.width() && 4 * y >= left.height() &&
           4 * y < 3 * left.height();
  }

  Image<std::uint8_t> left, right;

private:
  static std::uint8_t texture(int x, int y, int c, unsigned seed) {
    std::uint32_t bits = static_cast<std::uint32_t>(x) * 73856093u ^
                         static_cast<std::uint32_t>(y) * 19349663u ^
                         static_cast<std::uint32_t>(c) * 83492791u ^ (seed * 2246822519u);
    bits = (bits ^ (bits >> 15)) * 2654435761u;
    return static_cast<std::uint8_t>(bits >> 24);
  }
};

} // namespace tessera::samples::lens_blur
