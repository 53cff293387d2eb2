// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace tessera::array {

// Whether the compressed data of a PNG file are intact and decompress to `size` bytes. Call it
// before libpng reads the file and before memory is allocated: libpng decompresses any amount of
// data after the last row, and may skip the checksum at the end. Nothing is stored, and
// decompression stops soon after `size` bytes.
bool holdsBytes(std::span<const std::uint8_t> file, std::uint64_t size);

} // namespace tessera::array
