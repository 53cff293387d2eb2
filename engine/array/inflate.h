// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera::array {

// What a zlib stream (RFC 1950, 1951) holds, if it is whole: its checksum is right, nothing follows
// it, and it holds exactly `size` bytes. Never more than these are written, whatever it claims.
std::optional<std::vector<std::uint8_t>> inflated(std::span<const std::uint8_t> stream,
                                                  std::size_t size);

} // namespace tessera::array
