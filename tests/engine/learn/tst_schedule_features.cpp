// SPDX-License-Identifier: MIT
#include "engine/learn/schedule_features.h"

#include "engine/learn/cost_model.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tessera::learn {
namespace {

using enum ScheduleFeature;
using schedule::Schedule;
using schedule::testing::scheduled;
using schedule::testing::stageOf;

// g reads three columns of f; both are floats. The input has bytes.
constexpr const char *kChain = "input in 1026 512\n"
                               "func f(x y) 1026 512 = in(x; y)\n"
                               "func g(x y) 1024 512 = f(x; y) f(x+1; y) f(x+2; y)\n"
                               "output g\n";
constexpr const char *kRoot =
    "g split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | reorder xi yi xo yo | "
    "gpu_threads xi yi | gpu_blocks xo yo\n";

ScheduleFeatures featuresOf(const Schedule &schedule, const char *stage) {
  return scheduleFeatures(schedule, machine::Machine())[index(stageOf(schedule, stage))];
}

TEST(ScheduleFeatures, AFuncInSharedMemory) {
  const Schedule schedule =
      scheduled(kChain, std::string(kRoot) + "f compute_at g:xo | gpu_threads x y\n");
  const ScheduleFeatures g = featuresOf(schedule, "g"), f = featuresOf(schedule, "f");
  constexpr double kBlocks = 32 * 64;
  EXPECT_EQ(g[Blocks], kBlocks);
  EXPECT_EQ(g[InnerParallelism], kBlocks);
  EXPECT_EQ(g[OuterParallelism], 1);
  EXPECT_EQ(f[InnerParallelism], 1);
  EXPECT_EQ(f[OuterParallelism], kBlocks);
  EXPECT_EQ(g[Realizations], 1);
  EXPECT_EQ(f[Realizations], kBlocks);
  EXPECT_EQ(f[PointsPerRealization], 34 * 8);
  EXPECT_EQ(f[PointsTotal], kBlocks * 34 * 8);
  EXPECT_EQ(f[PointsMinimum], 1026 * 512);
  EXPECT_EQ(f[SharedBytesAtTask], 34 * 8 * 4);
  EXPECT_EQ(f[SharedInnermostBytesAtTask], 34 * 4);
  EXPECT_EQ(g[GlobalBytesAtTask], 32 * 8 * 4);
  EXPECT_EQ(g[GlobalInnermostBytesAtTask], 32 * 4);
  EXPECT_EQ(g[ThreadsPerBlock], 32 * 8);
  EXPECT_EQ(f[ThreadsPerBlock], 34 * 8);
  EXPECT_EQ(g[WarpsPerBlock], std::ceil(34 * 8 / 32.0)); // the block has room for f
  EXPECT_EQ(g[SharedBytesPerThread], 3 * 4);
  EXPECT_EQ(g[SharedLinesPerThread], 1);
  EXPECT_EQ(g[BytesPerTask], 34 * 8); // of the input
  EXPECT_EQ(g[LinesPerTask], 8);
  EXPECT_EQ(g[WorkingSetAtTask], 34 * 8 * 4);
  EXPECT_EQ(g[WorkingSetAtRoot], 34 * 8 * 4 + 1024 * 512 * 4);
  EXPECT_DOUBLE_EQ(g[SharedOccupancy], 34 * 8 * 4 / (48 * 1024.0));
  EXPECT_EQ(f[SharedOccupancy], 0);
  EXPECT_EQ(g[GlobalStoresPerBlock], 8 * 4); // eight rows of 128 bytes: four sectors each
  EXPECT_EQ(g[GlobalStoreEfficiency], 1);
}

TEST(ScheduleFeatures, AnInlinedFunc) {
  const Schedule schedule = scheduled(kChain, kRoot);
  const ScheduleFeatures f = featuresOf(schedule, "f"), g = featuresOf(schedule, "g");
  EXPECT_EQ(f[InlinedCalls], 3.0 * 1024 * 512);
  EXPECT_EQ(f[Realizations], 0);
  EXPECT_EQ(f[ThreadsPerBlock], 32 * 8);
  EXPECT_EQ(f[PointsPerThread], 3);
  EXPECT_EQ(f[GlobalLoadEfficiency], 1);
  EXPECT_EQ(g[InlinedCalls], 0);
  EXPECT_EQ(g[GlobalBytesPerThread], 3); // through f
}

// The example of the paper: 32 lanes at 4 bytes use all that they move; at 8 bytes, half.
TEST(ScheduleFeatures, LoadsThatAreNotCoalesced) {
  const auto efficiencyOf = [](const char *index) {
    return featuresOf(scheduled("input in 2048 512\nfunc f(x y) 2048 512 = in(x; y)\n"
                                "func g(x y) 1024 512 = f(" +
                                    std::string(index) + "; y)\noutput g\n",
                                std::string(kRoot) + "f split x xo xi 32 guard_with_if | "
                                                     "gpu_threads xi | gpu_blocks xo y\n"),
                      "g")[GlobalLoadEfficiency];
  };
  EXPECT_DOUBLE_EQ(efficiencyOf("x"), 1);
  EXPECT_NEAR(efficiencyOf("2*x"), 0.5, 0.02);
}

TEST(ScheduleFeatures, UnrolledLoopsOfAThread) {
  const Schedule schedule =
      scheduled(kChain, "g split x xo xi 128 guard_with_if | split xi xt xu 4 "
                        "round_up | reorder xu xt xo y | unroll xu | gpu_threads xt | gpu_blocks "
                        "xo y\n");
  const ScheduleFeatures g = featuresOf(schedule, "g");
  EXPECT_EQ(g[UnrolledExtent], 4);
  EXPECT_EQ(g[InnermostPureExtent], 4);
  EXPECT_EQ(g[PointsPerThread], 4);
  EXPECT_EQ(g[GlobalBytesPerThread], 6); // six columns for four points
}

// A func that is inlined more than once is one operand more than it has itself.
TEST(ScheduleFeatures, BranchingGoesThroughInlinedFuncs) {
  pipeline::PipelineParts parts = pipeline::test::sketchParts(kChain);
  const auto branchingOf = [&](const std::string &directives, const char *stage) {
    const auto made = pipeline::Pipeline::create(parts);
    EXPECT_TRUE(made) << made.error().message;
    return featuresOf(scheduled(*made, kRoot + directives), stage)[Branching];
  };
  const std::string inBlock = "f compute_at g:xo | gpu_threads x y\n";
  EXPECT_EQ(branchingOf(inBlock, "g"), 0) << "not known";
  parts.stages[0].expression = pipeline::Expression{{}, 4};
  parts.stages[1].expression = pipeline::Expression{{}, 3};
  EXPECT_EQ(branchingOf(inBlock, "f"), 4);
  EXPECT_EQ(branchingOf(inBlock, "g"), 3);
  EXPECT_EQ(branchingOf("", "f"), 0) << "is no loop nest of its own";
  EXPECT_EQ(branchingOf("", "g"), 5);
}

TEST(CostModel, IsNetworkOfFeatures) {
  const Schedule one = scheduled(kChain, kRoot);
  const Schedule other =
      scheduled(one.base(), std::string(kRoot) + "f compute_at g:xo | gpu_threads x y\n");
  const machine::Machine machine;
  CostModel model(randomWeights(3), machine), again(randomWeights(3), machine);
  const double first = model.milliseconds(one), second = model.milliseconds(other);
  EXPECT_NE(first, second);
  EXPECT_EQ(again.milliseconds(other), second); // nothing is left of the one before
  EXPECT_EQ(model.milliseconds(one), first);
  EXPECT_EQ(model.costs(one).size(), 2U);
}

} // namespace
} // namespace tessera::learn
