// SPDX-License-Identifier: MIT
#include "samples/hist/reference.h"

#include <algorithm>
#include <array>

namespace tessera::samples::hist {

namespace {

float luma(const Image<std::uint8_t> &image, int x, int y) {
  return 0.299f * static_cast<float>(image.at(x, y, 0)) +
         0.587f * static_cast<float>(image.at(x, y, 1)) +
         0.114f * static_cast<float>(image.at(x, y, 2));
}

int bin(float value) { return static_cast<int>(std::clamp(value, 0.0f, 255.0f)); }

std::uint8_t pixel(float value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0f, 255.0f));
}

} // namespace

Image<std::uint8_t> reference(const Image<std::uint8_t> &input) {
  std::array<int, 256> below{};
  for (int y = 0; y < input.height(); ++y)
    for (int x = 0; x < input.width(); ++x)
      ++below[bin(luma(input, x, y))];
  for (std::size_t i = 1; i < below.size(); ++i)
    below[i] += below[i - 1];

  const float scale = 255.0f / static_cast<float>(input.width() * input.height());
  Image<std::uint8_t> result(input.width(), input.height(), 3);
  for (int y = 0; y < input.height(); ++y)
    for (int x = 0; x < input.width(); ++x) {
      const float old = luma(input, x, y);
      const float red = (static_cast<float>(input.at(x, y, 0)) - old) * 0.713f;
      const float blue = (static_cast<float>(input.at(x, y, 2)) - old) * 0.564f;
      const float equal = std::clamp(static_cast<float>(below[bin(old)]) * scale, 0.0f, 255.0f);
      result.at(x, y, 0) = pixel(equal + red * 1.4f);
      result.at(x, y, 1) = pixel(equal - blue * 0.343f - red * 0.711f);
      result.at(x, y, 2) = pixel(equal + blue * 1.765f);
    }
  return result;
}

} // namespace tessera::samples::hist
