// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::interpolate {

// Takes three colours and an opacity, and returns three colours. Transparent pixels are filled from
// their surroundings through a pyramid of `levels` levels.
Image<float> reference(const Image<float> &input, int levels);

} // namespace tessera::samples::interpolate
