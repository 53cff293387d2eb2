// SPDX-License-Identifier: MIT
#include "samples/two_stage_blur/reference.h"

namespace tessera::samples::two_stage_blur {

Image<float> reference(const Image<float> &input) {
  Image<float> across(input.width() - 2, input.height());
  for (int y = 0; y < across.height(); ++y)
    for (int x = 0; x < across.width(); ++x)
      across.at(x, y) = (input.at(x, y) + input.at(x + 1, y) + input.at(x + 2, y)) / 3.0f;
  Image<float> result(across.width(), across.height() - 2);
  for (int y = 0; y < result.height(); ++y)
    for (int x = 0; x < result.width(); ++x)
      result.at(x, y) = (across.at(x, y) + across.at(x, y + 1) + across.at(x, y + 2)) / 3.0f;
  return result;
}

} // namespace tessera::samples::two_stage_blur
