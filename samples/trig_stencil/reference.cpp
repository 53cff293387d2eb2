// SPDX-License-Identifier: MIT
#include "samples/trig_stencil/reference.h"

#include <cmath>

namespace tessera::samples::trig_stencil {

Image<float> reference(int width, int height) {
  Image<float> values(width + 1, height + 1);
  for (int y = 0; y <= height; ++y)
    for (int x = 0; x <= width; ++x)
      values.at(x, y) =
          std::sqrt(std::cos(static_cast<float>(x)) + std::sin(static_cast<float>(y)));
  Image<float> result(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      result.at(x, y) =
          values.at(x + 1, y) + values.at(x, y) + values.at(x + 1, y + 1) + values.at(x, y + 1);
  return result;
}

} // namespace tessera::samples::trig_stencil
