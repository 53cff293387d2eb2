// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::unsharp {

// Sharpens the luminance by its difference from its 7x7 Gaussian blur and scales the colours with
// it.
Image<float> reference(const Image<float> &input);

} // namespace tessera::samples::unsharp
