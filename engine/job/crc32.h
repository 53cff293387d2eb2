// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::job {

// CRC-32 as in Ethernet, zlib and PNG (reflected polynomial 0xEDB88320). `before` is the result for
// the bytes that came before these.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

} // namespace tessera::job
