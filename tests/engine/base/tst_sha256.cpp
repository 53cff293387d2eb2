// SPDX-License-Identifier: MIT
#include "engine/base/sha256.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <string_view>
#include <vector>

namespace tessera {
namespace {

std::string hashOf(std::string_view text) {
  return sha256Hex(std::as_bytes(std::span(text.data(), text.size())));
}

// FIPS 180-4 examples and NIST's CAVP byte vectors.
TEST(Sha256, EqualsTheStandardsExamples) {
  EXPECT_EQ(hashOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hashOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hashOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hashOf("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                   "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(hashOf("\xd3"), "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1");
  EXPECT_EQ(hashOf("\x11\xaf"), "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98");
}

TEST(Sha256, EqualsTheMillionLetters) {
  EXPECT_EQ(hashOf(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  EXPECT_TRUE(rc::check("any cut gives the same hash", [] {
    const auto text =
        *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>());
    const auto bytes = std::as_bytes(std::span(text));
    Sha256 pieces;
    for (std::size_t at = 0; at < bytes.size();) {
      const auto take =
          std::min<std::size_t>(*rc::gen::inRange<std::size_t>(1, 140), bytes.size() - at);
      pieces.append(bytes.subspan(at, take));
      at += take;
    }
    RC_ASSERT(pieces.hex() == sha256Hex(bytes));
  }));
}

// Padding changes at 55/56 and 63/64 bytes; checked against a value made with coreutils.
TEST(Sha256, PadsAtEachBoundary) {
  EXPECT_EQ(hashOf(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(hashOf(std::string(56, 'a')),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(hashOf(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(Sha256, MayGoOnAfterHex) {
  Sha256 hash;
  const std::string_view a = "a", bc = "bc";
  hash.append(std::as_bytes(std::span(a.data(), a.size())));
  EXPECT_EQ(hash.hex(), hashOf("a"));
  hash.append(std::as_bytes(std::span(bc.data(), bc.size())));
  EXPECT_EQ(hash.hex(), hashOf("abc"));
}

} // namespace
} // namespace tessera
