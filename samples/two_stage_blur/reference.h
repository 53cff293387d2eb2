// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::two_stage_blur {

// The mean of 3x3, first along x, then along y. The result is two pixels smaller in both
// dimensions.
Image<float> reference(const Image<float> &input);

} // namespace tessera::samples::two_stage_blur
