// SPDX-License-Identifier: MIT
#include "samples/iir_blur/reference.h"

namespace tessera::samples::iir_blur {

Image<float> reference(const Image<float> &input, float alpha) {
  Image<float> image = input;
  const int right = image.width() - 1, bottom = image.height() - 1;
  for (int c = 0; c < image.channels(); ++c) {
    const auto smooth = [&](int x, int y, int lastX, int lastY) {
      image.at(x, y, c) = alpha * image.at(x, y, c) + (1.0f - alpha) * image.at(lastX, lastY, c);
    };
    for (int x = 0; x <= right; ++x) {
      for (int y = 1; y <= bottom; ++y)
        smooth(x, y, x, y - 1);
      for (int y = bottom - 1; y >= 0; --y)
        smooth(x, y, x, y + 1);
    }
    for (int y = 0; y <= bottom; ++y) {
      for (int x = 1; x <= right; ++x)
        smooth(x, y, x - 1, y);
      for (int x = right - 1; x >= 0; --x)
        smooth(x, y, x + 1, y);
    }
  }
  return image;
}

} // namespace tessera::samples::iir_blur
