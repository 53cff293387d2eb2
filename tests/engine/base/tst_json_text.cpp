// SPDX-License-Identifier: MIT
// Where errors in JSON are.
#include "engine/base/json_text.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <string_view>

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kText = R"({
  "name": "a, b] \"c\"",
  "list": [1, [2, {"x": 3}], {
    "inner": {"deep": [ 4 , 5 ]}, "no\u0074e": "}"
  }],
  "twice": 1, "twice": 2, "empty": [], "last": null
})";

struct Placed {
  const char *path;
  TextPlace place;
};

class JsonPlace : public ::testing::TestWithParam<Placed> {};

TEST_P(JsonPlace, IsWhereTheValueBegins) {
  ASSERT_TRUE(nlohmann::json::accept(kText));
  EXPECT_EQ(placeInJson(kText, GetParam().path), GetParam().place) << GetParam().path;
}

constexpr auto kPlaced = std::to_array<Placed>({
    {"", {1, 1}},
    {"name", {2, 11}},
    {"list", {3, 11}},
    {"list[0]", {3, 12}},
    {"list[1][1]", {3, 19}},
    {"list[1][1].x", {3, 25}},
    {"list[2].inner.deep[1]", {4, 29}},
    {"list[2].note", {4, 48}},
    {"twice", {6, 24}},
    {"last", {6, 48}},
    // Of what is missing, what lacks it.
    {"list[3]", {3, 11}},
    {"list[2].outer", {3, 30}},
    {"empty[0]", {6, 36}},
    {"name.first", {2, 11}},
    {"nobody", {1, 1}},
});

INSTANTIATE_TEST_SUITE_P(Paths, JsonPlace, ::testing::ValuesIn(kPlaced));

TEST(JsonText, WhatIsNoJsonHasNoPlaces) {
  EXPECT_EQ(placeInJson("{", "a"), std::nullopt);
  EXPECT_EQ(placeInJson("", ""), std::nullopt);
}

TEST(JsonText, SaysWhereItEnds) {
  const auto cut = parsedJson("{\n  \"a\": [1,\n");
  ASSERT_FALSE(cut);
  EXPECT_THAT(cut.error().message, HasSubstr("it is not JSON: syntax error"));
  EXPECT_TRUE(cut.error().message.starts_with("3:1: ")) << cut.error().message;
  const auto bytes = parsedJson("{\"a\x1b\": 1}");
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message.find('\x1b'), std::string::npos);
  EXPECT_EQ(parsedJson("[1]").value(), nlohmann::json::parse("[1]"));
}

TEST(JsonText, AMessageGetsThePlaceOfItsMember) {
  const Error error = withPlaceIn(kText, {ErrorCode::InputRefused, "list[1][0]: too small", "why"});
  EXPECT_EQ(error.message, "3:16: list[1][0]: too small");
  EXPECT_EQ(error.hint, "why");
}

TEST(JsonText, AFoundValueIsShortened) {
  EXPECT_EQ(expectedText("a number", "x"), "expected a number, found \"x\"");
  const std::string text = expectedText("a number", std::string(100, 'a'));
  EXPECT_TRUE(text.ends_with("aaa…")) << text;
  EXPECT_LT(text.size(), 80U);
}

} // namespace
} // namespace tessera
