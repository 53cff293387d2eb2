// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::harris {

// The output starts at pixel (kBorder, kBorder) of the input and is 2 * kBorder pixels smaller in
// both dimensions.
inline constexpr int kBorder = 3;

// Pixel (x, y) of the result is the corner response at (x + kBorder, y + kBorder).
Image<float> reference(const Image<float> &input);

} // namespace tessera::samples::harris
