// SPDX-License-Identifier: MIT
#include "samples/pyramid_blend/reference.h"

#include <vector>

namespace tessera::samples::pyramid_blend {

namespace {

// A level of a pyramid that starts at (left, top). It extends beyond the picture as far as other
// levels read it.
struct Level {
  int left, top;
  Image<float> pixels;

  Level(int left_, int top_, int right, int bottom, int channels)
      : left(left_), top(top_), pixels(right - left_ + 1, bottom - top_ + 1, channels) {}
  int right() const { return left + pixels.width() - 1; }
  int bottom() const { return top + pixels.height() - 1; }
  float &at(int x, int y, int c) { return pixels.at(x - left, y - top, c); }
  float at(int x, int y, int c) const { return pixels.at(x - left, y - top, c); }
};

template <typename Visit>
void visit(const Level &level, Visit visitPixel) {
  for (int c = 0; c < level.pixels.channels(); ++c)
    for (int y = level.top; y <= level.bottom(); ++y)
      for (int x = level.left; x <= level.right(); ++x)
        visitPixel(x, y, c);
}

float reduced(float a, float b, float m, float d, float e) {
  return (a + e + 4.0f * (b + d) + 6.0f * m) / 16.0f;
}

float between(int position, float a, float b, float d) {
  return position % 2 == 0 ? (a + 6.0f * b + d) / 8.0f : (b + d) / 2.0f;
}

Level reducedLevel(const Level &finer, const Level &shape) {
  Level level = shape;
  const auto down = [&](int x, int y, int c) {
    return reduced(finer.at(x, 2 * y - 2, c), finer.at(x, 2 * y - 1, c), finer.at(x, 2 * y, c),
                   finer.at(x, 2 * y + 1, c), finer.at(x, 2 * y + 2, c));
  };
  visit(level, [&](int x, int y, int c) {
    level.at(x, y, c) = reduced(down(2 * x - 2, y, c), down(2 * x - 1, y, c), down(2 * x, y, c),
                                down(2 * x + 1, y, c), down(2 * x + 2, y, c));
  });
  return level;
}

// The value at (x, y) of `coarse` expanded to twice as many pixels.
float expanded(const Level &coarse, int x, int y, int c) {
  const auto up = [&](int row) {
    const int column = x >> 1;
    return between(x, coarse.at(column - 1, row, c), coarse.at(column, row, c),
                   coarse.at(column + 1, row, c));
  };
  return between(y, up((y >> 1) - 1), up(y >> 1), up((y >> 1) + 1));
}

// The region of each level of a pyramid that is needed, finest first. Expanding reads one pixel of
// the next coarser level on either side, and reducing reads two of the next finer level.
std::vector<Level> shapes(int width, int height, int channels, int levels) {
  std::vector<Level> result;
  int right = width - 1, bottom = height - 1;
  for (int j = 0; j < levels; ++j) {
    const int margin = (4 << (levels - j)) - 4;
    result.emplace_back(-margin, -margin, right + margin, bottom + margin, channels);
    right /= 2;
    bottom /= 2;
  }
  return result;
}

std::vector<Level> gaussian(const Image<float> &picture, int levels) {
  std::vector<Level> pyramid =
      shapes(picture.width(), picture.height(), picture.channels(), levels);
  visit(pyramid[0],
        [&](int x, int y, int c) { pyramid[0].at(x, y, c) = picture.clamped(x, y, c); });
  for (int j = 1; j < levels; ++j)
    pyramid[j] = reducedLevel(pyramid[j - 1], pyramid[j]);
  return pyramid;
}

} // namespace

Image<float> reference(const Image<float> &left, const Image<float> &right,
                       const Image<float> &mask, int levels) {
  const std::vector<Level> lefts = gaussian(left, levels), rights = gaussian(right, levels),
                           masks = gaussian(mask, levels);
  // Adds up the levels, starting at the coarsest one. The sum at each level covers the region that
  // the next finer level reads.
  Level sum(0, 0, 0, 0, 3);
  for (int j = levels - 1; j >= 0; --j) {
    const int margin = j == 0 ? 0 : 3;
    Level level(-margin, -margin, ((left.width() - 1) >> j) + margin,
                ((left.height() - 1) >> j) + margin, 3);
    visit(level, [&](int x, int y, int c) {
      const auto detail = [&](const std::vector<Level> &pyramid) {
        const float coarse = j == levels - 1 ? 0.0f : expanded(pyramid[j + 1], x, y, c);
        return pyramid[j].at(x, y, c) - coarse;
      };
      const float share = masks[j].at(x, y, 0);
      level.at(x, y, c) = share * detail(lefts) + (1.0f - share) * detail(rights);
      if (j < levels - 1) level.at(x, y, c) += expanded(sum, x, y, c);
    });
    sum = level;
  }
  return sum.pixels;
}

} // namespace tessera::samples::pyramid_blend
