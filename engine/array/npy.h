// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"

namespace tessera::array {

// An array as NumPy's `save` writes it: versions 1 to 3 are read, with little-endian numbers of the
// types that buffers can have. Its first axis is a buffer's last dimension, as in Halide's
// bindings: an image of 640×480 has the shape (480, 640). Everything of `bytes` is checked against
// its length; `file` is for messages.
bool isNpy(const std::vector<std::uint8_t> &bytes);
Result<Array> npyFrom(std::vector<std::uint8_t> bytes, const std::string &file);
// Numbers that NumPy has no type for (bfloat16) become float32.
std::vector<std::uint8_t> npyOf(const Array &array);

} // namespace tessera::array
