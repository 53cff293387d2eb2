// SPDX-License-Identifier: MIT
#include "engine/search/tuning/regroupings.h"

#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/group.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/freezes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tessera::search {
namespace {

using schedule::Schedule;
using ::testing::Contains;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kChain = "input in 2052 2052\n"
                                    "func a(x y) 2050 2050 = in(x; y) in(x+1; y) in(x+2; y+2)\n"
                                    "func b(x y) 2049 2049 = a(x; y) a(x+1; y+1)\n"
                                    "func c(x y) 2048 2048 = b(x; y) b(x+1; y) b(x; y+1)\n"
                                    "output c\n";

// Lists the kernels with their members, such as "c(block b)".
std::string groupsOf(const Schedule &schedule) {
  std::string text;
  for (const Group &group : search::groupsOf(schedule)) {
    text += schedule.pipeline()->func(group.output).name;
    for (const Member &member : group.members)
      text += std::string(member.placement == Placement::Block ? "(block " : "(thread ") +
              schedule.pipeline()->func(member.func).name + ")";
    text += " ";
  }
  return text;
}

std::vector<std::string> regrouped(const Schedule &schedule) {
  std::vector<std::string> all;
  for (const Candidate &candidate : regroupings(schedule, {}, 100)) {
    EXPECT_TRUE(schedule::isLegal(candidate.schedule, {}));
    EXPECT_GT(candidate.seconds, 0);
    all.push_back(groupsOf(candidate.schedule));
  }
  return all;
}

// Returns a schedule in which c is a kernel, and b and a are computed at the places `b` and `a`. If
// a place is empty, its func is a kernel of its own.
Schedule tiled(const std::string &b, const std::string &a) {
  const auto own = [](const std::string &name, const std::string &place) {
    return name +
           " split x xb xt 32 shift_inwards | split y yb yt 8 shift_inwards | "
           "reorder xt yt xb yb | gpu_threads xt yt | gpu_blocks xb yb" +
           place + "\n";
  };
  const auto in = [](const std::string &name, const std::string &where) {
    return name + " compute_at " + where +
           " | split x xo xt 32 guard_with_if | split y yo yt 8 guard_with_if | "
           "reorder xt yt xo yo | gpu_threads xt yt\n";
  };
  return schedule::testing::scheduled(
      std::string(kChain), own("c", "") + (b.empty() ? own("b", " | compute_root") : in("b", b)) +
                               (a.empty() ? own("a", " | compute_root") : in("a", a)));
}

TEST(Regroupings, AKernelGoesIntoTheOneThatReadsIt) {
  EXPECT_THAT(regrouped(tiled("", "")), UnorderedElementsAre("b(block a) c ", "b(thread a) c ",
                                                             "a c(block b) ", "a c(thread b) "));
}

TEST(Regroupings, WhatABlockComputesBecomesAKernelWithAllThatItAloneReads) {
  const std::vector<std::string> all = regrouped(tiled("c:xb", "c:xb"));
  EXPECT_THAT(all, Contains("b(block a) c "));
  EXPECT_THAT(all, Contains("a c(block b) "));
}

TEST(Regroupings, TheBestComeFirst) {
  const std::vector<Candidate> all = regroupings(tiled("", ""), {}, 100);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Candidate::seconds));
  const std::vector<Candidate> two = regroupings(tiled("", ""), {}, 2);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two.front().schedule, all.front().schedule);
}

TEST(Regroupings, WhatIsFrozenStays) {
  Schedule schedule = tiled("", "");
  testing::freeze(schedule, "a", schedule::DecisionKind::Compute);
  EXPECT_THAT(regrouped(schedule), UnorderedElementsAre("a c(block b) ", "a c(thread b) "));
}

} // namespace
} // namespace tessera::search
