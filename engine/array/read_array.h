// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"

namespace tessera::array {

// The numbers of a file: an array of NumPy's, or an image (PNG, PGM, PPM), told apart by their
// first bytes. `file` is for messages.
Result<Array> arrayFrom(std::vector<std::uint8_t> bytes, const std::string &file);
Result<Array> readArray(const std::string &path);

} // namespace tessera::array
