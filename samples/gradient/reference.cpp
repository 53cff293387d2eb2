// SPDX-License-Identifier: MIT
#include "samples/gradient/reference.h"

namespace tessera::samples::gradient {

Image<int> reference(int width, int height) {
  Image<int> result(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      result.at(x, y) = x + y;
  return result;
}

} // namespace tessera::samples::gradient
