// SPDX-License-Identifier: MIT
#include "samples/unsharp/reference.h"

#include <cmath>
#include <numbers>

namespace tessera::samples::unsharp {

namespace {

constexpr int kRadius = 3;
constexpr float kSigma = 1.5f;

float gaussian(int i) {
  const auto d = static_cast<float>(i);
  return std::exp(-d * d / (2 * kSigma * kSigma)) /
         (std::sqrt(2 * std::numbers::pi_v<float>) * kSigma);
}

} // namespace

Image<float> reference(const Image<float> &input) {
  const int width = input.width();
  const int height = input.height();
  // Clamping the coordinates of the luminance is the same as clamping those of the colours.
  Image<float> gray(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      gray.at(x, y) =
          0.299f * input.at(x, y, 0) + 0.587f * input.at(x, y, 1) + 0.114f * input.at(x, y, 2);

  Image<float> columns(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int i = -kRadius; i <= kRadius; ++i)
        columns.at(x, y) += gaussian(i) * gray.clamped(x, y + i);

  Image<float> result(width, height, 3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float blurred = 0.0f;
      for (int i = -kRadius; i <= kRadius; ++i)
        blurred += gaussian(i) * columns.clamped(x + i, y);
      const float ratio = (2 * gray.at(x, y) - blurred) / gray.at(x, y);
      for (int c = 0; c < 3; ++c)
        result.at(x, y, c) = ratio * input.at(x, y, c);
    }
  return result;
}

} // namespace tessera::samples::unsharp
