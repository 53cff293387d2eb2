// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"

namespace tessera::array {

// Reads a NumPy array or an image (PNG, PGM, PPM); the first bytes tell which. `file` is for
// messages.
Result<Array> arrayFrom(std::vector<std::uint8_t> bytes, const std::string &file);
Result<Array> readArray(const std::string &path);

} // namespace tessera::array
