// SPDX-License-Identifier: MIT
#include "engine/document/moves.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::document {
namespace {

using machine::Machine;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::planOf;
using schedule::testing::stageOf;

// Each func is a kernel of its own: a is kernel 1, b is 2, c is 3, out is 4.
Schedule chain() {
  Schedule schedule = schedule::testing::scheduled("input in 1026 1026\n"
                                                   "func a(x y) 1026 1026 = in(x; y)\n"
                                                   "func b(x y) 1024 1026 = a(x+[0,2]; y)\n"
                                                   "func c(x y) 1024 1024 = b(x; y+[0,2])\n"
                                                   "func out(x y) 1024 1024 = c(x; y)\n"
                                                   "output out\n",
                                                   "");
  for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
    schedule::FuncPlan plan = schedule.plan(pipeline::FuncId{f});
    plan.compute = schedule::Place::root();
    plan.stages.front().nest =
        schedule::kernelNest(schedule.pipeline()->stagesOf(pipeline::FuncId{f}).front());
    schedule.set(pipeline::FuncId{f}, std::move(plan));
  }
  return schedule;
}

std::vector<Move> all(const Schedule &schedule, const char *stage) {
  std::vector<Move> moves;
  movesOf(schedule, stageOf(schedule, stage), Machine{}, {}, [&](std::vector<Move> more) {
    std::move(more.begin(), more.end(), std::back_inserter(moves));
  });
  return moves;
}

Move one(const Schedule &schedule, const char *stage, Move::Kind kind, int kernel = 0) {
  const std::vector<Move> moves = all(schedule, stage);
  const auto found = std::ranges::find_if(
      moves, [&](const Move &move) { return move.kind == kind && move.kernel == kernel; });
  if (found != moves.end()) return *found;
  ADD_FAILURE() << "no such move of " << stage;
  return {};
}

Schedule fused(const Schedule &schedule, const char *stage, int kernel) {
  const Move move = one(schedule, stage, Move::Kind::Fuse, kernel);
  if (move.choice) return move.choice->after; // freezes nothing, like a search
  ADD_FAILURE() << move.refusal;
  return schedule;
}

TEST(Moves, NameEveryOtherKernelOnce) {
  const std::vector<Move> moves = all(chain(), "b");
  std::vector<int> kernels;
  for (const Move &move : moves)
    if (move.kind == Move::Kind::Fuse) kernels.push_back(move.kernel);
  std::ranges::sort(kernels);
  EXPECT_EQ(kernels, (std::vector{1, 3, 4}));
  EXPECT_EQ(moves.size(), 5U); // three fusions, inlining, and an own kernel
}

TEST(Moves, LegalOnesAreLegalAndCostWhatTheySay) {
  const Schedule schedule = chain();
  int legal = 0;
  for (const char *stage : {"a", "b", "c"})
    for (const Move &move : all(schedule, stage)) {
      EXPECT_NE(move.isLegal(), !move.refusal.empty());
      if (!move.choice) continue;
      ++legal;
      EXPECT_TRUE(schedule::isLegal(move.choice->after, Machine{}));
      EXPECT_DOUBLE_EQ(move.choice->seconds, cost::predict(move.choice->after, Machine{}).seconds);
    }
  EXPECT_GE(legal, 6);
}

TEST(Moves, FuseIntoTheReadersKernel) {
  const Schedule schedule = chain();
  const Move move = one(schedule, "b", Move::Kind::Fuse, 3);
  ASSERT_TRUE(move.choice) << move.refusal;
  EXPECT_EQ(move.with, "c");
  EXPECT_EQ(move.moved, "b");
  EXPECT_TRUE(move.along.empty());
  const Schedule after = chosen(*move.choice);
  EXPECT_EQ(cost::predict(after, Machine{}).kernels.size(), 3U);
  EXPECT_TRUE(after.mark(move.choice->decision).frozen);
}

// `out` is dragged to the kernel of c, its producer. Instead, c moves into the kernel of out, which
// gives the same kernel.
TEST(Moves, FuseIntoAProducersKernelTheOtherWayRound) {
  const Schedule schedule = chain();
  const Move move = one(schedule, "out", Move::Kind::Fuse, 3);
  ASSERT_TRUE(move.choice) << move.refusal;
  EXPECT_EQ(move.moved, "c");
  EXPECT_EQ(planOf(move.choice->after, "c").compute.stage, stageOf(schedule, "out"));
}

TEST(Moves, SayWhyNot) {
  const Schedule schedule = chain();
  EXPECT_EQ(one(schedule, "a", Move::Kind::OwnKernel).refusal, "a has a kernel of its own already");
  EXPECT_EQ(one(schedule, "a", Move::Kind::Fuse, 4).refusal,
            "no stage of the chosen kernel reads a");
  EXPECT_FALSE(one(schedule, "a", Move::Kind::Fuse, 4).isNeighbour);
  EXPECT_EQ(one(schedule, "out", Move::Kind::Inline).refusal,
            "out is an output and cannot be inlined");
}

// A move that would change nothing is not legal, although no legality rule refuses it.
TEST(Moves, KnowWhatTheFuncIsAlready) {
  Schedule schedule = chain();
  EXPECT_TRUE(one(schedule, "b", Move::Kind::OwnKernel).isThere);
  EXPECT_FALSE(one(schedule, "b", Move::Kind::Inline).isThere);
  schedule = one(schedule, "b", Move::Kind::Inline).choice.value().after;
  const Move inlining = one(schedule, "b", Move::Kind::Inline);
  EXPECT_TRUE(inlining.isThere);
  EXPECT_FALSE(inlining.isLegal());
  EXPECT_EQ(inlining.refusal, "b is inlined already");
  EXPECT_FALSE(one(schedule, "b", Move::Kind::OwnKernel).isThere);
  // An output cannot be inlined, but this is because a rule refuses it.
  EXPECT_FALSE(one(schedule, "out", Move::Kind::Inline).isThere);
}

TEST(Moves, WhatIsInItsLoopsComesAlong) {
  // a is computed in the kernel of b. The kernels are b (1), c (2) and out (3).
  const Schedule inB = fused(chain(), "a", 2);
  const Move move = one(inB, "b", Move::Kind::Fuse, 2);
  ASSERT_TRUE(move.choice) << move.refusal;
  EXPECT_EQ(move.along, std::vector<std::string>{"a"});
  const Schedule after = chosen(*move.choice);
  EXPECT_EQ(cost::predict(after, Machine{}).kernels.size(), 2U);
  EXPECT_EQ(planOf(after, "a").compute.stage, stageOf(after, "c"));
}

TEST(Moves, WhatIsReadFromTheOldKernelIsSplitOutToo) {
  const Schedule inC = fused(fused(chain(), "a", 2), "b", 2);
  ASSERT_EQ(planOf(inC, "a").compute.stage, stageOf(inC, "c"));
  const Move move = one(inC, "b", Move::Kind::OwnKernel);
  ASSERT_TRUE(move.choice) << move.refusal;
  EXPECT_EQ(move.along, std::vector<std::string>{"a"});
  EXPECT_TRUE(planOf(move.choice->after, "a").isRoot());
  EXPECT_TRUE(planOf(move.choice->after, "b").isRoot());
}

TEST(Moves, WhatIsFrozenDoesNotComeAlong) {
  Schedule inB = fused(chain(), "a", 2);
  inB.setMark({funcOf(inB, "a"), 0, schedule::DecisionKind::Compute, 0},
              {schedule::Origin::User, true});
  EXPECT_EQ(one(inB, "b", Move::Kind::Fuse, 2).refusal, "a would have to move too, but is frozen");
}

TEST(Moves, StopWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const Schedule schedule = chain();
  movesOf(schedule, stageOf(schedule, "b"), Machine{}, stop.get_token(),
          [](const std::vector<Move> &moves) {
            for (const Move &move : moves)
              EXPECT_FALSE(move.isLegal());
          });
}

TEST(Moves, StopAtAnExternStage) {
  const Schedule schedule =
      schedule::defaultSchedule(pipeline::test::sketch("input in 256 256\n"
                                                       "func a(x y) 256 256 = in(x; y)\n"
                                                       "func e(x y) 256 256 extern = a(?; ?)\n"
                                                       "func out(x y) 256 256 = e(x; y)\n"
                                                       "output out\n"));
  for (const Move &move : all(schedule, "a")) {
    EXPECT_FALSE(move.isLegal());
    if (move.isThere) continue; // its own kernel
    EXPECT_EQ(move.refusal, "a is read by e, an extern stage, which needs all of it in memory");
  }
  for (const Move &move : all(schedule, "e")) {
    EXPECT_FALSE(move.isLegal());
    EXPECT_NE(move.refusal.find("e is an extern stage"), std::string::npos) << move.refusal;
  }
}

} // namespace
} // namespace tessera::document
