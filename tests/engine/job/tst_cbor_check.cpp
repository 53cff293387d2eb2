// SPDX-License-Identifier: MIT
#include "engine/job/cbor_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::job {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Bytes = std::vector<std::uint8_t>;

std::string whyNot(const Bytes &bytes) { return whyNotCbor(std::as_bytes(std::span(bytes))); }

Bytes nested(std::size_t depth) {
  Bytes bytes(depth, 0x81); // nested arrays of one element
  bytes.push_back(0x00);
  return bytes;
}

TEST(CborCheck, TakesEachKindThatWeWrite) {
  const nlohmann::json all{
      {"null", nullptr},
      {"bool", {true, false}},
      {"integer", {0, 23, 24, 255, 256, 65536, 4294967296, -1, -25, -4294967297}},
      {"lowest", INT64_MIN},
      {"highest", UINT64_MAX},
      {"real", {0.5, 1e300, -0.0}},
      {"text", "tile"},
      {"bytes", nlohmann::json::binary({1, 2, 3})},
      {"empty", {nlohmann::json::array(), nlohmann::json::object(), ""}}};
  EXPECT_THAT(whyNot(nlohmann::json::to_cbor(all)), IsEmpty());
}

TEST(CborCheck, NamesWhatIsWrong) {
  EXPECT_THAT(whyNot({}), HasSubstr("ends in the middle"));
  EXPECT_THAT(whyNot({0x82, 0x01}), HasSubstr("more elements than the message has bytes"));
  EXPECT_THAT(whyNot({0x82, 0x82, 0x00}), HasSubstr("more elements than the message has bytes"));
  EXPECT_THAT(whyNot({0x82, 0x61, 'a'}), HasSubstr("ends in the middle at byte 3"));
  EXPECT_THAT(whyNot({0x19, 0x01}), HasSubstr("ends in the middle"));
  EXPECT_THAT(whyNot({0x63, 'a', 'b'}), HasSubstr("a string longer than the message"));
  EXPECT_THAT(whyNot({0xa1, 0x01, 0x02}), HasSubstr("a key that is not text"));
  EXPECT_THAT(whyNot({0x9f, 0xff}), HasSubstr("an indefinite length"));
  EXPECT_THAT(whyNot({0x7f, 0x61, 'a', 0xff}), HasSubstr("an indefinite length"));
  EXPECT_THAT(whyNot({0xc0, 0x00}), HasSubstr("a tag"));
  EXPECT_THAT(whyNot({0xf7}), HasSubstr("an unknown simple value"));
  EXPECT_THAT(whyNot({0xf8, 0x20}), HasSubstr("an unknown simple value"));
  EXPECT_THAT(whyNot({0x00, 0x00, 0x00}), HasSubstr("2 trailing bytes"));
  EXPECT_THAT(whyNot({0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0}), HasSubstr("an integer below 64 bits"));
}

TEST(CborCheck, BelievesNoLength) {
  // Each header announces 2^64-1 items: bytes, characters, array elements or map pairs.
  for (const std::uint8_t head : {0x5b, 0x7b, 0x9b, 0xbb})
    EXPECT_FALSE(whyNot({head, 255, 255, 255, 255, 255, 255, 255, 255, 0}).empty());
}

TEST(CborCheck, LimitsDepth) {
  EXPECT_THAT(whyNot(nested(kMaxCborDepth)), IsEmpty());
  EXPECT_THAT(whyNot(nested(kMaxCborDepth + 1)), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(whyNot(nested(std::size_t{10} << 20)), HasSubstr("nested deeper than 64 levels"));
}

TEST(CborCheck, LimitsTheNumberOfValues) {
  Bytes bytes{0x9a, 0x00, 0x50, 0x00, 0x00}; // five million zeros
  bytes.resize(5 + 0x500000, 0x00);
  EXPECT_THAT(whyNot(bytes), HasSubstr("more than 4194304 values"));
}

TEST(CborCheck, WhatItTakesTheParserTakes) {
  EXPECT_TRUE(rc::check("random bytes", [](const Bytes &bytes) {
    if (whyNot(bytes).empty())
      RC_ASSERT(!nlohmann::json::from_cbor(bytes, true, false).is_discarded());
  }));
}

} // namespace
} // namespace tessera::job
