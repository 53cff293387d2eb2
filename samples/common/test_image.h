// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cmath>
#include <cstdint>

namespace tessera::samples {

// A small deterministic picture in [0, 1]: smooth colour, a bright disc, hard bars, a corner grid
// and a little noise, so that edges, corners and flat areas are all there.
inline float testPixel(int x, int y, int c, int width, int height) {
  const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(width);
  const float v = (static_cast<float>(y) + 0.5f) / static_cast<float>(height);
  float value = 0.25f + 0.35f * (c == 0 ? u : c == 1 ? v : 0.5f * (u + 1.0f - v));
  const float dx = u - 0.6f;
  const float dy = v - 0.4f;
  if (dx * dx + dy * dy < 0.04f) value += 0.3f;
  if (u < 0.3f && (y / 5) % 2 == 0) value *= 0.5f;
  if (v > 0.7f && ((x / 7) + (y / 7)) % 2 == 0) value += 0.1f * static_cast<float>(c + 1);
  const std::uint32_t mixed = (static_cast<std::uint32_t>(x) * 73856093u) ^
                              (static_cast<std::uint32_t>(y) * 19349663u) ^
                              (static_cast<std::uint32_t>(c) * 83492791u);
  const std::uint32_t noise = (mixed * 2654435761u) >> 24;
  value += (static_cast<float>(noise) / 255.0f - 0.5f) * 0.06f;
  return std::fmin(std::fmax(value, 0.0f), 1.0f);
}

// The picture as T: floats stay in [0, 1], integers span [0, `peak`].
template <typename T>
Image<T> testImage(int width, int height, int channels, float peak) {
  Image<T> image(width, height, channels);
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        image.at(x, y, c) = static_cast<T>(testPixel(x, y, c, width, height) * peak);
  return image;
}

} // namespace tessera::samples
