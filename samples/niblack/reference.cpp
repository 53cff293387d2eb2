// SPDX-License-Identifier: MIT
#include "samples/niblack/reference.h"

#include <algorithm>

namespace tessera::samples::niblack {

namespace {

struct Window {
  std::int64_t count = 0, sum = 0, squares = 0;
};

Window windowAround(const Image<std::uint16_t> &input, int x, int y, int radius) {
  Window window;
  for (int v = std::max(y - radius, 0); v <= std::min(y + radius, input.height() - 1); ++v)
    for (int u = std::max(x - radius, 0); u <= std::min(x + radius, input.width() - 1); ++u) {
      const std::int64_t pixel = input.at(u, v);
      ++window.count;
      window.sum += pixel;
      window.squares += pixel * pixel;
    }
  return window;
}

// pixel > mean - deviation / 5 without a root: where the pixel is below the mean, its distance has
// to be less than a fifth of the deviation, and so have their squares.
bool isPaper(const Window &window, std::int64_t pixel) {
  const std::int64_t below = window.sum - window.count * pixel;
  const std::int64_t spread = window.count * window.squares - window.sum * window.sum;
  if (below < 0) return true;
  return 25 * below * below < spread;
}

} // namespace

Image<std::uint8_t> reference(const Image<std::uint16_t> &input, int radius) {
  Image<std::uint8_t> result(input.width(), input.height());
  for (int y = 0; y < input.height(); ++y)
    for (int x = 0; x < input.width(); ++x)
      result.at(x, y) = isPaper(windowAround(input, x, y, radius), input.at(x, y));
  return result;
}

} // namespace tessera::samples::niblack
