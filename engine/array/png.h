// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"
#include "engine/array/picture.h"

namespace tessera::array {

// Images in PNG's form, read and written by libpng. Samples of 8 and 16 bits stay as they are, with
// opacity as another channel where the image has it; fewer bits become 8, and a palette's entries
// become RGB, or RGBA where some are transparent. A single colour that is marked as transparent is
// a colour like any other, as in Halide's tools. Every checksum is looked at.
bool isPng(const std::vector<std::uint8_t> &bytes);
Result<Array> pngFrom(const std::vector<std::uint8_t> &bytes, const std::string &file);
Result<std::vector<std::uint8_t>> pngOf(const Picture &picture);

} // namespace tessera::array
