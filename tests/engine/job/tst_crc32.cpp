// SPDX-License-Identifier: MIT
#include "engine/job/crc32.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace tessera::job {
namespace {

std::uint32_t crcOf(std::string_view text, std::uint32_t before = 0) {
  return crc32(std::as_bytes(std::span(text.data(), text.size())), before);
}

TEST(Crc32, EqualsTheKnownValues) {
  EXPECT_EQ(crcOf(""), 0u);
  EXPECT_EQ(crcOf("a"), 0xE8B7BE43u);
  EXPECT_EQ(crcOf("123456789"), 0xCBF43926u); // the catalogue's check value
  EXPECT_EQ(crcOf("The quick brown fox jumps over the lazy dog"), 0x414FA339u);
}

TEST(Crc32, GoesOnWhereItStopped) {
  const std::string text = "The quick brown fox jumps over the lazy dog";
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(crcOf(text.substr(cut), crcOf(text.substr(0, cut))), crcOf(text));
}

TEST(Crc32, SeesEverySingleFlippedBit) {
  const std::string text = "0123456789abcdef";
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(crcOf(flipped), crcOf(text));
  }
}

} // namespace
} // namespace tessera::job
