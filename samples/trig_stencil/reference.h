// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::trig_stencil {

// The sum over 2x2 pixels of sqrt(cos x + sin y). It is not a number where one of the four roots
// has a negative argument.
Image<float> reference(int width, int height);

} // namespace tessera::samples::trig_stencil
