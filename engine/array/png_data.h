// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace tessera::array {

// Whether the compressed data of a PNG file are whole and come to `size` bytes. It is asked before
// libpng reads them and before memory is taken for them: libpng decompresses what follows the last
// row, however much it is, and may leave out the checksum at the end. Nothing is kept, and no more
// than `size` bytes are decompressed.
bool holdsBytes(std::span<const std::uint8_t> file, std::uint64_t size);

} // namespace tessera::array
