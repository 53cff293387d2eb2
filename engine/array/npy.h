// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"

namespace tessera::array {

// An array in the format of NumPy's `save`. Versions 1 to 3 can be read, with little-endian numbers
// of the types that buffers support. The array's first axis is the buffer's last dimension, as in
// Halide's Python bindings: an image of 640×480 has the shape (480, 640). npyFrom() refuses bytes
// that are missing or left over; `file` is for messages.
bool isNpy(const std::vector<std::uint8_t> &bytes);
Result<Array> npyFrom(std::vector<std::uint8_t> bytes, const std::string &file);
// Types that NumPy does not have (bfloat16) become float32.
std::vector<std::uint8_t> npyOf(const Array &array);

} // namespace tessera::array
