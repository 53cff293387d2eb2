// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::pyramid_blend {

// The left picture where the mask is one, the right one where it is zero; across the edge of the
// mask, coarse features fade over more pixels than fine ones.
Image<float> reference(const Image<float> &left, const Image<float> &right,
                       const Image<float> &mask, int levels);

} // namespace tessera::samples::pyramid_blend
