// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::gradient {

// Pixel (x, y) is x + y.
Image<int> reference(int width, int height);

} // namespace tessera::samples::gradient
