// SPDX-License-Identifier: MIT
#include "engine/tune/dropped_proposals.h"

#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(DroppedProposals, AFaultIsKeptOnceAndTheTuningGoesOn) {
  const auto pipeline = pipeline::test::sketch("func f(x) 8 = \noutput f\n");
  DroppedProposals dropped;
  const auto propose = [&](std::uint32_t func) {
    return dropped.run([&] { return std::vector{pipeline->func(pipeline::FuncId{func}).name}; });
  };
  EXPECT_THAT(propose(0), ElementsAre("f"));
  EXPECT_TRUE(dropped.causes().empty());
  EXPECT_TRUE(propose(1).empty());
  EXPECT_TRUE(propose(1).empty());
  EXPECT_THAT(propose(0), ElementsAre("f"));
  EXPECT_THAT(dropped.causes(), ElementsAre(HasSubstr("func 1 of 1")));
}

TEST(DroppedProposals, WhatIsNoFaultOfTheProgramIsNotDropped) {
  DroppedProposals dropped;
  EXPECT_THROW(dropped.run([]() -> int { throw std::runtime_error("no memory"); }),
               std::runtime_error);
}

} // namespace
} // namespace tessera::tune
