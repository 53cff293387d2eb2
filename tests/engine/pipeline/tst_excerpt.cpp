// SPDX-License-Identifier: MIT
#include "engine/pipeline/excerpt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tessera::pipeline {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const Excerpt kExcerpt{{"out", {{0, 63}, {-2, 9}}, {}},
                       {{"rows", {{-1, 64}, {0, 9}}, {1, 0}}, {"sum", {}, {}}}};

std::string refusalOf(json document) {
  const auto read = excerptFromJson(document);
  return read ? "" : read.error().message;
}

TEST(Excerpt, IsReadAsItWasWritten) {
  const auto read = excerptFromJson(json(toJson(kExcerpt)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, kExcerpt);
}

TEST(Excerpt, WhatNobodyCanMeanIsRefused) {
  const json good = json(toJson(kExcerpt));
  EXPECT_EQ(refusalOf(good), "");
  EXPECT_THAT(refusalOf(json::array()), HasSubstr("an excerpt of a pipeline"));
  const auto with = [&](const char *place, const json &value) {
    json changed = good;
    changed[json::json_pointer(place)] = value;
    return refusalOf(changed);
  };
  EXPECT_THAT(with("/inputs/0/box/0", {5, 4}), HasSubstr("\"rows\" has no box"));
  EXPECT_THAT(with("/output/box/0", {0, 1LL << 40}), HasSubstr("\"out\" has no box"));
  EXPECT_THAT(with("/inputs/0/layout", {1, 1}), HasSubstr("no order of its dimensions"));
  EXPECT_THAT(with("/inputs/0/layout", {1, 2}), HasSubstr("no order of its dimensions"));
  EXPECT_THAT(with("/inputs/0/layout", {0}), HasSubstr("no order of its dimensions"));
  EXPECT_NE(with("/inputs/0/func", 7), "");
  EXPECT_NE(with("/output", nullptr), "");
}

} // namespace
} // namespace tessera::pipeline
