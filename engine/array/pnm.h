// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"

namespace tessera::array {

// An image in a binary format of Netpbm: grey (P5, .pgm) or red, green and blue (P6, .ppm). A
// sample has 8 or 16 bits, depending on the largest value that the header states. The file must end
// with the image.
bool isPnm(const std::vector<std::uint8_t> &bytes);
Result<Array> pnmFrom(const std::vector<std::uint8_t> &bytes, const std::string &file);

} // namespace tessera::array
