// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>

namespace tessera::samples::blur {

// The 3x3 box as two passes of truncating 16-bit arithmetic, as the generator does it. The result
// is two pixels smaller in both dimensions.
Image<std::uint16_t> reference(const Image<std::uint16_t> &input);

} // namespace tessera::samples::blur
