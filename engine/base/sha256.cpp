// SPDX-License-Identifier: MIT
#include "engine/base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tessera {
namespace {

// The constants of FIPS 180-4, section 4.2.2.
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t bigEndian32(const std::byte *bytes) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i)
    word = word << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  return word;
}

} // namespace

void Sha256::compress(const std::byte *block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t t = 0; t < 16; ++t)
    w[t] = bigEndian32(block + 4 * t);
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = m_state;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> sum{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i)
    m_state[i] += sum[i];
}

void Sha256::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t filled = m_length % kBlockBytes;
    if (filled == 0 && bytes.size() >= kBlockBytes) {
      compress(bytes.data());
      bytes = bytes.subspan(kBlockBytes);
      m_length += kBlockBytes;
      continue;
    }
    const std::size_t take = std::min(kBlockBytes - filled, bytes.size());
    std::memcpy(m_block.data() + filled, bytes.data(), take);
    bytes = bytes.subspan(take);
    m_length += take;
    if (m_length % kBlockBytes == 0) compress(m_block.data());
  }
}

std::string Sha256::hex() const {
  // The padding is a bit that is 1, then zeros, then the length of the data in bits: a 64-bit
  // big-endian number at the end of a block.
  Sha256 last = *this;
  const std::size_t filled = m_length % kBlockBytes;
  const std::size_t zeros = (filled < 56 ? 55 : 119) - filled;
  std::array<std::byte, kBlockBytes + 8> padding{};
  padding[0] = std::byte{0x80};
  for (std::size_t i = 0; i < 8; ++i)
    padding[1 + zeros + i] = static_cast<std::byte>((m_length * 8) >> (56 - 8 * i));
  last.append({padding.data(), 1 + zeros + 8});

  constexpr char kNibbles[] = "0123456789abcdef";
  std::string text;
  for (const std::uint32_t word : last.m_state)
    for (int shift = 28; shift >= 0; shift -= 4)
      text += kNibbles[(word >> shift) & 15];
  return text;
}

std::string sha256Hex(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.append(bytes);
  return hash.hex();
}

} // namespace tessera
