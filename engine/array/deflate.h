// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::array {

// A zlib stream (RFC 1950, 1951) that holds the bytes: with the fixed codes and repetitions of what
// was there before, or as they are where that is shorter.
std::vector<std::uint8_t> deflated(std::span<const std::uint8_t> bytes);

} // namespace tessera::array
