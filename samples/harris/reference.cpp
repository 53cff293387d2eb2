// SPDX-License-Identifier: MIT
#include "samples/harris/reference.h"

namespace tessera::samples::harris {

Image<float> reference(const Image<float> &input) {
  const int width = input.width();
  const int height = input.height();
  Image<float> gray(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      gray.at(x, y) =
          0.299f * input.at(x, y, 0) + 0.587f * input.at(x, y, 1) + 0.114f * input.at(x, y, 2);

  Image<float> dx(width, height);
  Image<float> dy(width, height);
  for (int y = 1; y < height - 1; ++y)
    for (int x = 1; x < width - 1; ++x)
      for (int i = -1; i <= 1; ++i) {
        const float weight = (i == 0 ? 2.0f : 1.0f) / 12.0f;
        dx.at(x, y) += weight * (gray.at(x + 1, y + i) - gray.at(x - 1, y + i));
        dy.at(x, y) += weight * (gray.at(x + i, y + 1) - gray.at(x + i, y - 1));
      }

  Image<float> result(width - 2 * kBorder, height - 2 * kBorder);
  for (int y = 0; y < result.height(); ++y)
    for (int x = 0; x < result.width(); ++x) {
      float xx = 0.0f, yy = 0.0f, xy = 0.0f;
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
          const float a = dx.at(x + kBorder + i, y + kBorder + j);
          const float b = dy.at(x + kBorder + i, y + kBorder + j);
          xx += a * a;
          yy += b * b;
          xy += a * b;
        }
      const float trace = xx + yy;
      result.at(x, y) = xx * yy - xy * xy - 0.04f * trace * trace;
    }
  return result;
}

} // namespace tessera::samples::harris
