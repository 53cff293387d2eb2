// SPDX-License-Identifier: MIT
#include "engine/search/tuning/neighbours.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/auto/placement_search.h"
#include "engine/search/kernels/register_caps.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/search/freezes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::search {
namespace {

using schedule::Schedule;

Schedule start() {
  return schedule::defaultSchedule(
      pipeline::test::sketch("input in 1026 1026\n"
                             "func a(x y) 1026 1024 = in(x; y) in(x; y+1) in(x; y+2)\n"
                             "func b(x y) 1024 1024 = a(x; y) a(x+1; y) a(x+2; y)\n"
                             "output b\n"));
}

TEST(Neighbours, AreLegalDifferentAndRanked) {
  Neighbours neighbours({}, 1);
  const Schedule from = start();
  const auto found = neighbours.around(from, 200, 20, {from.hash()});
  ASSERT_GE(found.size(), 10U);
  std::set<std::uint64_t> hashes{from.hash()};
  for (const Candidate &candidate : found) {
    EXPECT_TRUE(schedule::isLegal(candidate.schedule, {}));
    EXPECT_TRUE(hashes.insert(candidate.schedule.hash()).second);
    EXPECT_DOUBLE_EQ(candidate.seconds, cost::predict(candidate.schedule, {}).seconds);
  }
  EXPECT_TRUE(std::ranges::is_sorted(found, {}, &Candidate::seconds));
}

// An edit of the factors can add a loop, which changes the order and the tails as well.
TEST(Neighbours, KeepWhatIsFrozenWhateverAnEditChangesAlongWithIt) {
  for (const schedule::DecisionKind kind :
       {schedule::DecisionKind::Order, schedule::DecisionKind::Tails}) {
    Schedule from = start();
    testing::freeze(from, "a", kind);
    testing::freeze(from, "b", kind);
    Neighbours neighbours({}, 1);
    const auto found = neighbours.around(from, 200, 20, {from.hash()});
    EXPECT_FALSE(found.empty());
    for (const Candidate &candidate : found)
      EXPECT_TRUE(testing::changedFrozen(from, candidate.schedule).empty());
  }
}

TEST(Neighbours, TheSameSeedGivesTheSame) {
  Neighbours one({}, 3), same({}, 3), other({}, 4);
  const auto first = one.around(start(), 60, 8, {});
  const auto second = same.around(start(), 60, 8, {});
  const auto third = other.around(start(), 60, 8, {});
  const auto hashes = [](const std::vector<Candidate> &all) {
    std::vector<std::uint64_t> result;
    for (const Candidate &candidate : all)
      result.push_back(candidate.schedule.hash());
    return result;
  };
  EXPECT_EQ(hashes(first), hashes(second));
  EXPECT_NE(hashes(first), hashes(third));
}

TEST(Neighbours, WhatIsKnownIsNotProposed) {
  Neighbours one({}, 3), again({}, 3);
  std::set<std::uint64_t> known;
  for (const Candidate &candidate : one.around(start(), 60, 8, {}))
    known.insert(candidate.schedule.hash());
  ASSERT_FALSE(known.empty());
  for (const Candidate &candidate : again.around(start(), 60, 8, known))
    EXPECT_FALSE(known.contains(candidate.schedule.hash()));
}

TEST(Neighbours, WhatIsFrozenStays) {
  Schedule from = start();
  const auto output = from.pipeline()->outputs().front().func;
  const schedule::DecisionKey place{pipeline::FuncId{0}, 0, schedule::DecisionKind::Compute, 0};
  const schedule::DecisionKey cap{{}, 0, schedule::DecisionKind::RegisterCap, 0};
  from.setMark(place, {schedule::Origin::User, true});
  from.setMark(cap, {schedule::Origin::User, true});
  ASSERT_NE(output, pipeline::FuncId{0});
  Neighbours neighbours({}, 5);
  const auto found = neighbours.around(from, 200, 50, {});
  ASSERT_FALSE(found.empty());
  for (const Candidate &candidate : found) {
    EXPECT_EQ(candidate.schedule.plan(pipeline::FuncId{0}).compute,
              from.plan(pipeline::FuncId{0}).compute);
    EXPECT_EQ(candidate.schedule.settings().registerCap, from.settings().registerCap);
  }
}

} // namespace
} // namespace tessera::search
