// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"
#include "engine/array/picture.h"

namespace tessera::array {

// An image in PNG's form, of 8 or 16 bits a sample: grey or colour, with opacity as another channel
// where it has one. Palettes and interlaced images are refused; every checksum is looked at.
bool isPng(const std::vector<std::uint8_t> &bytes);
Result<Array> pngFrom(const std::vector<std::uint8_t> &bytes, const std::string &file);
std::vector<std::uint8_t> pngOf(const Picture &picture);

} // namespace tessera::array
