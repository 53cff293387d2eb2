// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"

namespace tessera::array {

// An image in one of the binary forms of Netpbm: grey (P5, .pgm) or red, green and blue (P6, .ppm),
// with 8 or 16 bits a sample by its largest value. The file has to end with the image.
bool isPnm(const std::vector<std::uint8_t> &bytes);
Result<Array> pnmFrom(const std::vector<std::uint8_t> &bytes, const std::string &file);

} // namespace tessera::array
