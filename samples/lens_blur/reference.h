// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>

namespace tessera::samples::lens_blur {

// The largest radius of a disc, in pixels.
constexpr int kMaxRadius = 8;

struct Parameters {
  int pyramidLevels = 8;
  int slices = 32;          // each slice is two pixels of disparity
  int focus = 13;           // the slice that stays sharp
  float radiusScale = 0.5f; // pixels of radius for each slice of distance from the focus
  int apertureSamples = 32;
};

// Blurs the left picture by the distance from the focus. The right picture shows that distance.
Image<float> reference(const Image<std::uint8_t> &left, const Image<std::uint8_t> &right,
                       const Parameters &parameters);

} // namespace tessera::samples::lens_blur
