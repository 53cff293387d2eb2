// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>

namespace tessera::samples::niblack {

// 1 where a pixel is brighter than mean - deviation / 5 of the window around it, else 0.
Image<std::uint8_t> reference(const Image<std::uint16_t> &input, int radius = 7);

} // namespace tessera::samples::niblack
