// SPDX-License-Identifier: MIT
#include "engine/job/crc32.h"

#include <array>

namespace tessera::job {
namespace {

using Table = std::array<std::uint32_t, 256>;

// Table k advances a byte over k further zero bytes: four bytes at a time ("slicing by four").
constexpr std::array<Table, 4> makeTables() {
  std::array<Table, 4> tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit)
      crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    tables[0][i] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::size_t i = 0; i < 256; ++i)
      tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 255];
  return tables;
}

constexpr std::array<Table, 4> kTables = makeTables();

} // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(bytes[i]); };
  std::size_t i = 0;
  for (; i + 4 <= bytes.size(); i += 4) {
    crc ^= at(i) | at(i + 1) << 8 | at(i + 2) << 16 | at(i + 3) << 24;
    crc = kTables[3][crc & 255] ^ kTables[2][crc >> 8 & 255] ^ kTables[1][crc >> 16 & 255] ^
          kTables[0][crc >> 24];
  }
  for (; i < bytes.size(); ++i)
    crc = crc >> 8 ^ kTables[0][(crc ^ at(i)) & 255];
  return ~crc;
}

} // namespace tessera::job
