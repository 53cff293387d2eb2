// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::trig_stencil {

// The sum over 2x2 of sqrt(cos x + sin y). Not a number where one of the four sums is negative.
Image<float> reference(int width, int height);

} // namespace tessera::samples::trig_stencil
