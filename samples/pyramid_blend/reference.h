// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::pyramid_blend {

// Shows the left picture where the mask is one and the right one where it is zero. Across the edge
// of the mask, coarse features fade over more pixels than fine ones.
Image<float> reference(const Image<float> &left, const Image<float> &right,
                       const Image<float> &mask, int levels);

} // namespace tessera::samples::pyramid_blend
