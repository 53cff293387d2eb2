// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::interpolate {

// Three colours and an opacity in, three colours out: what is transparent is filled from around
// it, through a pyramid of `levels`.
Image<float> reference(const Image<float> &input, int levels);

} // namespace tessera::samples::interpolate
