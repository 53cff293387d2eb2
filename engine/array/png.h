// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"
#include "engine/array/picture.h"

namespace tessera::array {

// PNG images, read and written with libpng. Samples of 8 and 16 bits stay unchanged, with opacity
// as another channel if the image has it. Fewer bits become 8, and palette entries become RGB, or
// RGBA if some are transparent. A single colour marked as transparent is treated like any other
// colour, as in Halide's tools. Every checksum is verified.
bool isPng(const std::vector<std::uint8_t> &bytes);
Result<Array> pngFrom(const std::vector<std::uint8_t> &bytes, const std::string &file);
Result<std::vector<std::uint8_t>> pngOf(const Picture &picture);

} // namespace tessera::array
