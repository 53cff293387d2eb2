// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>

namespace tessera::samples::hist {

// Equalises the histogram of the luminance and puts the old chrominance back.
Image<std::uint8_t> reference(const Image<std::uint8_t> &input);

} // namespace tessera::samples::hist
