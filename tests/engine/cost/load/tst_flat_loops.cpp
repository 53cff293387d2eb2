// SPDX-License-Identifier: MIT
#include "engine/cost/load/flat_loops.h"

#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using schedule::testing::scheduled;
using schedule::testing::stageOf;

// Lists the loops of g as "kind dimension:iterations*step", innermost first.
std::string loopsOf(const std::string &directives, const std::vector<std::int64_t> &dims) {
  const schedule::Schedule schedule =
      scheduled("func g(x y) 64 64 = \noutput g\n", "g " + directives);
  std::vector<FlatLoop> loops;
  flatten(schedule.plan(stageOf(schedule, "g")).nest, dims, loops);
  std::string text;
  for (const FlatLoop &loop : loops)
    text += (text.empty() ? "" : ", ") + std::string(schedule::name(loop.kind)) + " " +
            std::to_string(loop.dim) + ":" + std::to_string(loop.iterations) + "*" +
            std::to_string(loop.step);
  return text;
}

const std::string kFlatTiles = "split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                               "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo";

TEST(FlatLoops, AnOuterLoopStepsOverTheInnerOne) {
  EXPECT_EQ(loopsOf(kFlatTiles, {64, 64}),
            "thread 0:16*1, thread 1:8*1, block 0:4*16, block 1:8*8");
}

TEST(FlatLoops, ATileThatIsCutCounts) {
  EXPECT_EQ(loopsOf(kFlatTiles, {65, 64}),
            "thread 0:16*1, thread 1:8*1, block 0:5*16, block 1:8*8");
}

TEST(FlatLoops, WhatDoesNotLoopIsLeftOut) {
  EXPECT_EQ(loopsOf(kFlatTiles, {16, 1}), "thread 0:16*1, thread 1:8*1");
}

TEST(FlatLoops, AFusedLoopCountsThroughItsInnermostPartFirst) {
  // 64 * 64 points in blocks of 16 threads are 4 blocks per row.
  EXPECT_EQ(loopsOf("fuse x y all | split all a b 16 guard_with_if | gpu_threads b | gpu_blocks a",
                    {64, 64}),
            "thread 0:16*1, block 0:4*16, block 1:64*1");
  // A block of 128 threads covers two rows.
  EXPECT_EQ(loopsOf("fuse x y all | split all a b 128 guard_with_if | gpu_threads b | gpu_blocks a",
                    {64, 64}),
            "thread 0:64*1, thread 1:2*1, block 1:32*2");
}

TEST(FlatLoops, ABlockThatDoesNotEndWithARowReachesIntoTheNext) {
  // The rows have 10 points. A block of 16 threads covers the 10 points of one row and 6 of the
  // next row, where the second block begins.
  EXPECT_EQ(loopsOf("fuse x y all | split all a b 16 guard_with_if | gpu_threads b | gpu_blocks a",
                    {10, 10}),
            "thread 0:10*1, thread 1:2*1, block 1:5*2");
}

TEST(FlatLoops, PartsOfAFusedLoopKeepItsPlace) {
  const schedule::Schedule schedule =
      scheduled("func g(x y) 64 64 = \noutput g\n",
                "g fuse x y all | split all a b 128 guard_with_if | gpu_threads b | gpu_blocks a");
  std::vector<FlatLoop> loops;
  flatten(schedule.plan(stageOf(schedule, "g")).nest, std::vector<std::int64_t>{64, 64}, loops);
  ASSERT_EQ(loops.size(), 3u);
  EXPECT_EQ(loops[0].loop, 0);
  EXPECT_EQ(loops[1].loop, 0);
  EXPECT_EQ(loops[2].loop, 1);
}

TEST(FlatLoops, ReachIsFromTheFirstToTheLastIteration) {
  const FlatLoop loop{schedule::LoopKind::Serial, 0, 0, 4, 16};
  EXPECT_EQ(loop.reach(), 48);
}

} // namespace
} // namespace tessera::cost
