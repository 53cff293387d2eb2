// SPDX-License-Identifier: MIT
#include "samples/tree_blur/reference.h"

namespace tessera::samples::tree_blur {

namespace {

Image<float> blurredRows(const Image<float> &image) {
  Image<float> result(image.width() - 2, image.height());
  for (int y = 0; y < result.height(); ++y)
    for (int x = 0; x < result.width(); ++x)
      result.at(x, y) = (image.at(x, y) + image.at(x + 1, y) + image.at(x + 2, y)) / 3.0f;
  return result;
}

} // namespace

Image<float> reference(const Image<float> &input) { return blurredRows(blurredRows(input)); }

} // namespace tessera::samples::tree_blur
