// SPDX-License-Identifier: MIT
#include "engine/tune/contenders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::tune {
namespace {

using testing::ElementsAre;

std::vector<std::string> namesOf(const std::vector<std::string> &words) {
  std::vector<std::string> names;
  const auto found = contendersFor(words, machine::Machine{}, host::ToolPaths{});
  for (const Contender &contender : found ? *found : std::vector<Contender>())
    names.push_back(contender.name);
  return names;
}

TEST(Contenders, TheFiveBestOfAPeerAreCandidatesOfTheirOwn) {
  EXPECT_THAT(namesOf({"auto", "anderson2021-top5"}),
              ElementsAre("auto", "anderson2021", "anderson2021-rank2", "anderson2021-rank3",
                          "anderson2021-rank4", "anderson2021-rank5"));
  EXPECT_THAT(namesOf({"anderson2021", "anderson2021-top5"}).size(), 5U);
  EXPECT_THAT(namesOf({"anderson2021#6"}), ElementsAre());
}

} // namespace
} // namespace tessera::tune
