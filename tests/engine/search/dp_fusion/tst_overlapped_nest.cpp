// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/overlapped_nest.h"

#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/dp_fusion/fused_blur.h"
#include "tests/engine/search/freezes.h"

#include <gtest/gtest.h>

namespace tessera::search {
namespace {

using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::planOf;
using schedule::testing::stageOf;
using schedule::testing::textOf;
using testing::kBlurX;
using testing::kBlurY;
using testing::kFused;

// Figure 3: a block of threads, each of which computes `tile` points that are a block apart, first
// of blurx and then of blury, which waits for all of them.
TEST(OverlappedNest, WritesFigure3) {
  const auto made = withOverlappedTile(testing::fusedBlur(), kFused, {{8, 1, 1}, {64, 4, 1}}, {});
  ASSERT_TRUE(made);
  EXPECT_TRUE(schedule::isLegal(*made, {}));
  // Blocks of 512 × 4 points; turns of 64 within; threads 64 × 4.
  EXPECT_EQ(textOf(planOf(*made, "blury").stages.front().nest),
            "0/512/64 1/4 2 : 0.1, 0.2 thread, 1.1 thread, 0.0 block, 1.0 block, 2.0 block");
  EXPECT_EQ(textOf(planOf(*made, "blurx").stages.front().nest),
            "0/64 1/4 2 : 0.0, 1.0, 2.0, 0.1 thread, 1.1 thread");
  EXPECT_EQ(planOf(*made, "blurx").compute.stage, stageOf(*made, "blury"));
  EXPECT_EQ(schedule::Bounds(*made).of(kBlurX).depth, schedule::Depth::Block);
}

TEST(OverlappedNest, WritesAStageAlone) {
  const auto made =
      withOverlappedTile(testing::fusedBlur(), {kBlurY, {kBlurY}}, {{1, 2, 1}, {32, 2, 1}}, {});
  ASSERT_TRUE(made);
  EXPECT_TRUE(schedule::isLegal(*made, {}));
  EXPECT_TRUE(planOf(*made, "blurx").isRoot());
  EXPECT_EQ(textOf(planOf(*made, "blury").stages.front().nest),
            "0/32 1/4/2 2 : 1.1, 0.1 thread, 1.2 thread, 0.0 block, 1.0 block, 2.0 block");
}

// The threads of a member lie along the dimensions of the output, whatever their order.
TEST(OverlappedNest, AlignsTheThreadsOfATransposedMember) {
  const auto start = schedule::defaultSchedule(pipeline::test::sketch(R"(
    input in 512 512
    func a(x y) 512 512 = in(x; y) in(x; y+1)
    func out(x y) 500 500 = a(y; x) a(y+1; x)
    output out
  )"));
  const DpGroup group{funcOf(start, "out"), {funcOf(start, "a"), funcOf(start, "out")}};
  const auto made = withOverlappedTile(start, group, {{1, 1, 1}, {32, 4, 1}}, {});
  ASSERT_TRUE(made);
  EXPECT_TRUE(schedule::isLegal(*made, {}));
  EXPECT_EQ(textOf(planOf(*made, "a").stages.front().nest),
            "0/4 1/32 : 0.0, 1.0, 1.1 thread, 0.1 thread");
}

// The reduction of a stage that is alone runs in each thread.
TEST(OverlappedNest, RunsReductionsInAThread) {
  const auto start = schedule::defaultSchedule(pipeline::test::sketch(R"(
    input in 640 480
    func sum(x y) 600 480 = 
    update sum(x y) r:0:40 = sum(x; y) in(x+r; y)
    output sum
  )"));
  const auto made = withOverlappedTile(start, {funcOf(start, "sum"), {funcOf(start, "sum")}},
                                       {{2, 1, 1}, {32, 4, 1}}, {});
  ASSERT_TRUE(made);
  EXPECT_TRUE(schedule::isLegal(*made, {}));
  const auto &loops = made->plan(stageOf(*made, "sum.update(0)")).nest.loops;
  EXPECT_EQ(loops.front().kind, schedule::LoopKind::Serial);
  EXPECT_EQ(std::ranges::count(loops, schedule::LoopKind::Thread, &schedule::Loop::kind), 2);
}

TEST(OverlappedNest, KeepsWhatIsFrozen) {
  Schedule start = testing::fusedBlur();
  testing::freeze(start, "blurx", schedule::DecisionKind::Compute);
  const auto made =
      withOverlappedTile(start, kFused, {{8, 1, 1}, {64, 4, 1}}, FrozenDecisions(start));
  EXPECT_TRUE(!made || testing::changedFrozen(start, *made).empty());
}

} // namespace
} // namespace tessera::search
