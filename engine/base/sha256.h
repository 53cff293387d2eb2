// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tessera {

// SHA-256 (FIPS 180-4), computed in pieces, for files too large to read into memory at once.
class Sha256 {
public:
  void append(std::span<const std::byte> bytes);

  // Returns 64 lower-case hex digits. Works on a copy, so more data may be appended afterwards.
  std::string hex() const;

private:
  static constexpr std::size_t kBlockBytes = 64;

  void compress(const std::byte *block);

  std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, kBlockBytes> m_block{};
  std::uint64_t m_length = 0; // bytes added so far
};

std::string sha256Hex(std::span<const std::byte> bytes);

} // namespace tessera
