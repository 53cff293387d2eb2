// SPDX-License-Identifier: MIT
#include "samples/interpolate/reference.h"

#include <cstddef>

namespace tessera::samples::interpolate {

namespace {

// A level of the pyramid that starts at (left, top). It covers all pixels that other levels read,
// also those outside of the picture. Only the input repeats its edge; each level stores these
// pixels.
struct Level {
  int left, top;
  Image<float> pixels;

  Level(int left_, int top_, int right, int bottom)
      : left(left_), top(top_), pixels(right - left_ + 1, bottom - top_ + 1, 4) {}
  int right() const { return left + pixels.width() - 1; }
  int bottom() const { return top + pixels.height() - 1; }
  float &at(int x, int y, int c) { return pixels.at(x - left, y - top, c); }
  float at(int x, int y, int c) const { return pixels.at(x - left, y - top, c); }
};

template <typename Visit>
void visitPixels(const Level &level, Visit visit) {
  for (int c = 0; c < 4; ++c)
    for (int y = level.top; y <= level.bottom(); ++y)
      for (int x = level.left; x <= level.right(); ++x)
        visit(x, y, c);
}

} // namespace

Image<float> reference(const Image<float> &input, int levels) {
  // Pushing reads x / 2 and (x + 1) / 2 of the next coarser level, so the coarsest level needs two
  // pixels more than the picture. Pulling reads 2x - 1 to 2x + 1 of the next finer level.
  std::vector<Level> pyramid;
  for (int j = 0; j < levels; ++j) {
    const int coarsest = levels - 1, scale = 1 << (coarsest - j);
    pyramid.emplace_back(1 - scale, 1 - scale, (((input.width() - 1) >> coarsest) + 3) * scale - 1,
                         (((input.height() - 1) >> coarsest) + 3) * scale - 1);
  }
  visitPixels(pyramid[0], [&](int x, int y, int c) {
    const float opacity = input.clamped(x, y, 3);
    pyramid[0].at(x, y, c) = c < 3 ? input.clamped(x, y, c) * opacity : opacity;
  });
  for (int j = 1; j < levels; ++j)
    visitPixels(pyramid[j], [&](int x, int y, int c) {
      float sum = 0.0f;
      for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u)
          sum += static_cast<float>((2 - u * u) * (2 - v * v)) *
                 pyramid[j - 1].at(2 * x + u, 2 * y + v, c);
      pyramid[j].at(x, y, c) = sum / 16.0f;
    });
  // Works in place, from coarse to fine. The opacity is replaced last, because the colours need its
  // old value.
  for (int j = levels - 2; j >= 0; --j) {
    const Level &coarser = pyramid[j + 1];
    Level &level = pyramid[j];
    const int lastX = ((input.width() - 1) >> j) + 2, lastY = ((input.height() - 1) >> j) + 2;
    for (int c = 0; c < 4; ++c)
      for (int y = 0; y <= lastY; ++y)
        for (int x = 0; x <= lastX; ++x) {
          const int x2 = (x + 1) / 2, y2 = (y + 1) / 2;
          const float below = (coarser.at(x / 2, y / 2, c) + coarser.at(x2, y / 2, c) +
                               coarser.at(x / 2, y2, c) + coarser.at(x2, y2, c)) /
                              4.0f;
          level.at(x, y, c) += (1.0f - level.at(x, y, 3)) * below;
        }
  }
  Image<float> result(input.width(), input.height(), 3);
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < input.height(); ++y)
      for (int x = 0; x < input.width(); ++x)
        result.at(x, y, c) = pyramid[0].at(x, y, c) / pyramid[0].at(x, y, 3);
  return result;
}

} // namespace tessera::samples::interpolate
