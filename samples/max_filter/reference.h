// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::max_filter {

// Each pixel becomes the maximum over all pixels whose centres lie within sqrt(radius^2 + 1/4) of
// its own. The picture's edge repeats.
Image<float> reference(const Image<float> &input, int radius);

} // namespace tessera::samples::max_filter
