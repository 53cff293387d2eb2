// SPDX-License-Identifier: MIT
#include "engine/job/json_member.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tessera::job {
namespace {

using nlohmann::json;

TEST(JsonText, OnlyATextIsOne) {
  EXPECT_EQ(textAt({{"name", "blur"}}, "name"), "blur");
  EXPECT_EQ(textAt({{"name", 3}}, "name"), "");
  EXPECT_EQ(textAt({{"other", "x"}}, "name"), "");
  for (const json &none : {json(nullptr), json(3), json("name"), json::array({"name"})})
    EXPECT_EQ(textAt(none, "name"), "") << none;
}

} // namespace
} // namespace tessera::job
