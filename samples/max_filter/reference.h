// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::max_filter {

// The maximum over the pixels whose centres lie within sqrt(radius^2 + 1/4) of each pixel's; the
// picture's edge repeats.
Image<float> reference(const Image<float> &input, int radius);

} // namespace tessera::samples::max_filter
