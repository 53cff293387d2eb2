// SPDX-License-Identifier: MIT
#include "engine/array/inflate.h"

#include "tests/engine/array/image_files.h"

#include <gtest/gtest.h>

namespace tessera::array::test {
namespace {

// "aaaaaaaaaa" by zlib: a literal and a repetition of nine, with the fixed codes.
const Bytes kTenLetters{0x78, 0x9c, 0x4b, 0x4c, 0x84, 0x01, 0x00, 0x14, 0xe1, 0x03, 0xcb};

TEST(Inflate, RepetitionsReachIntoThemselves) {
  EXPECT_EQ(inflated(kTenLetters, 10), bytesOf("aaaaaaaaaa"));
}

TEST(Inflate, ExactlyAsMuchAsWasAskedFor) {
  EXPECT_FALSE(inflated(kTenLetters, 9));
  EXPECT_FALSE(inflated(kTenLetters, 11));
  EXPECT_FALSE(inflated(joined({kTenLetters, {0}}), 10)); // something follows
}

TEST(Inflate, DamageIsNoticed) {
  for (std::size_t bit = 0; bit < 8 * kTenLetters.size(); ++bit) {
    Bytes damaged = kTenLetters;
    damaged[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    const auto text = inflated(damaged, 10);
    // What the checksum cannot see is the same text: the header's word for how hard zlib tried.
    EXPECT_TRUE(!text || *text == bytesOf("aaaaaaaaaa")) << bit;
  }
  for (std::size_t size = 0; size < kTenLetters.size(); ++size)
    EXPECT_FALSE(inflated(std::span(kTenLetters).first(size), 10)) << size;
}

TEST(Inflate, CodesThatCannotBe) {
  const auto block = [](std::initializer_list<std::uint8_t> bytes) {
    return inflated(joined({{0x78, 0x9c}, Bytes(bytes)}), 10);
  };
  EXPECT_FALSE(block({0x07}));                   // a kind of block that is none
  EXPECT_FALSE(block({0x01, 1, 0, 1, 0, 'a'}));  // stored, its length said in two ways
  EXPECT_FALSE(block({0xfd, 0xff, 0xff, 0xff})); // own codes: more lengths than there are symbols
  EXPECT_FALSE(
      block({0x05, 0xc0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})); // too many of a length
  EXPECT_FALSE(block({0x63, 0x20, 0x03, 0x00})); // a repetition of what is before the beginning
}

} // namespace
} // namespace tessera::array::test
