// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>

namespace tessera::samples::lens_blur {

// No disc is larger, in pixels.
constexpr int kMaxRadius = 8;

struct Parameters {
  int pyramidLevels = 8;
  int slices = 32;          // of two pixels of disparity each
  int focus = 13;           // the slice that stays sharp
  float radiusScale = 0.5f; // pixels of radius a slice away from the focus
  int apertureSamples = 32;
};

// Blurs the left picture by the distance from the focus that the right one shows.
Image<float> reference(const Image<std::uint8_t> &left, const Image<std::uint8_t> &right,
                       const Parameters &parameters);

} // namespace tessera::samples::lens_blur
