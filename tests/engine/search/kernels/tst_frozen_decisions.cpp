// SPDX-License-Identifier: MIT
// A search keeps the decisions that the user froze, even if others would be faster.
#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/freezes.h"
#include "tests/engine/search/searched.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::test::sketch;
using schedule::DecisionKey;
using schedule::DecisionKind;
using schedule::Origin;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::planOf;
using schedule::testing::Random;
using testing::changedFrozen;
using testing::freeze;
using testing::freezeSome;
using ::testing::IsEmpty;
using testing::Searched;
using testing::searched;

const DecisionKey kRegisterCap{{}, 0, DecisionKind::RegisterCap, 0};

const std::string kStencils = "input in 2052 2052\n"
                              "func a(x y) 2050 2052 sine = in(x; y) in(x+1; y) in(x+2; y)\n"
                              "func b(x y) 2050 2050 sine = a(x; y) a(x; y+1) a(x; y+2)\n"
                              "func c(x y) 2048 2048 = b(x; y) b(x+1; y+1) b(x+2; y+2)\n"
                              "output c\n";
const std::string kPoor = "c split x xo xi 8 guard_with_if | split y yo yi 8 guard_with_if | "
                          "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n"
                          "b compute_root | split x xo xi 16 shift_inwards | "
                          "split y yo yi 2 shift_inwards | reorder xi yi xo yo | "
                          "gpu_threads xi yi | gpu_blocks xo yo\n"
                          "a compute_at b:xo | gpu_threads x y\n";

Schedule poor() {
  Schedule schedule = schedule::testing::scheduled(kStencils, kPoor);
  const auto violations = schedule::check(schedule, {});
  if (!violations.empty()) throw std::invalid_argument(violations.front().message);
  return schedule;
}

TEST(Frozen, NothingIsWithoutAMark) {
  const Schedule start = poor();
  const Searched found = searched({start, {}});
  for (const char *func : {"a", "b", "c"})
    EXPECT_FALSE(planOf(found.best.schedule, func) == planOf(start, func)) << func;
}

// Only Halide knows what an opaque directive does, so that its stage stays as it is.
TEST(Frozen, AStageWithAnOpaqueDirectiveIsHeld) {
  Schedule start = poor();
  schedule::FuncPlan plan = planOf(start, "b");
  plan.stages.front().opaque = {
      {schedule::Verb::BoundExtent,
       {schedule::LoopName{"x"}, *schedule::sizeExpressionFrom("in.extent.0 - 2")}}};
  start.set(funcOf(start, "b"), plan);
  for (const char *algorithm : {"auto", "autogpu"}) {
    SCOPED_TRACE(algorithm);
    const Schedule found = searched({start, {}}, algorithm).best.schedule;
    EXPECT_TRUE(planOf(found, "b") == planOf(start, "b"));
    EXPECT_TRUE(found.marks().empty()) << "the user froze nothing";
  }
  EXPECT_FALSE(planOf(searched({start, {}}).best.schedule, "c") == planOf(start, "c"));
}

// Searches around one frozen decision, and expects the result to keep it.
Searched around(const Schedule &start) {
  const Searched found = searched({start, {}});
  EXPECT_THAT(changedFrozen(start, found.best.schedule), IsEmpty());
  EXPECT_LT(found.best.seconds, found.startSeconds);
  const auto violations = schedule::check(found.best.schedule, {});
  EXPECT_TRUE(violations.empty()) << violations.front().message;
  return found;
}

const schedule::LoopNest &nestOf(const Schedule &schedule, std::string_view func) {
  return planOf(schedule, func).stages.front().nest;
}

TEST(Frozen, APlaceAloneLetsAllLoopsChange) {
  Schedule start = poor();
  freeze(start, "a", DecisionKind::Compute);
  const Schedule found = around(start).best.schedule;
  EXPECT_TRUE(planOf(found, "a").compute == planOf(start, "a").compute);
  EXPECT_FALSE(nestOf(found, "b") == nestOf(start, "b")) << "whose loop the place names";
  EXPECT_FALSE(nestOf(found, "c") == nestOf(start, "c"));
}

TEST(Frozen, AStorageKeepsTheFuncOnTheChip) {
  Schedule start = poor();
  schedule::FuncPlan plan = planOf(start, "a");
  plan.storage = schedule::Storage::Shared;
  start.set(funcOf(start, "a"), plan);
  freeze(start, "a", DecisionKind::Storage);
  const Schedule found = around(start).best.schedule;
  EXPECT_EQ(planOf(found, "a").storage, schedule::Storage::Shared);
  EXPECT_EQ(planOf(found, "a").compute.kind, schedule::Place::Kind::At);
}

TEST(Frozen, FactorsOfADimensionLeaveTheOtherFree) {
  Schedule start = poor();
  freeze(start, {funcOf(start, "c"), 0, DecisionKind::Factors, 1});
  const Schedule found = around(start).best.schedule;
  EXPECT_EQ(nestOf(found, "c").axes[1].splits.front().factor, 8);
  EXPECT_EQ(nestOf(found, "c").axes[1].splits.size(), 1u);
  EXPECT_NE(nestOf(found, "c").axes[0].splits.front().factor, 8);
}

TEST(Frozen, AnOrderLeavesTheFactorsFree) {
  Schedule start = poor();
  freeze(start, "c", DecisionKind::Order);
  const Schedule found = around(start).best.schedule;
  EXPECT_TRUE(nestOf(found, "c").loops == nestOf(start, "c").loops);
  EXPECT_FALSE(nestOf(found, "c").axes == nestOf(start, "c").axes);
}

TEST(Frozen, AnUnrolledLoopStaysOne) {
  Schedule start = schedule::testing::scheduled(
      kStencils, "c split x xo xi 8 guard_with_if | split y yo yi 8 guard_with_if | "
                 "split yi yt yu 2 guard_with_if | reorder yu xi yt xo yo | unroll yu | "
                 "gpu_threads xi yt | gpu_blocks xo yo\n"
                 "b compute_root | gpu_blocks y | gpu_threads x\n"
                 "a compute_root | gpu_blocks y | gpu_threads x\n");
  for (const char *func : {"a", "b"}) { // gives a and b smaller blocks, which can be launched
    schedule::FuncPlan plan = planOf(start, func);
    plan.stages.front().nest =
        schedule::kernelNest(start.pipeline()->stagesOf(funcOf(start, func)).front());
    start.set(funcOf(start, func), plan);
  }
  ASSERT_TRUE(schedule::isLegal(start, {}));
  freeze(start, "c", DecisionKind::Order);
  const Schedule found = around(start).best.schedule;
  EXPECT_TRUE(nestOf(found, "c").contains(schedule::LoopKind::Unrolled));
  EXPECT_FALSE(nestOf(found, "c").axes == nestOf(start, "c").axes);
}

TEST(Frozen, ATailStays) {
  Schedule start = poor();
  freeze(start, "b", DecisionKind::Tails);
  const Schedule found = around(start).best.schedule;
  for (const schedule::Axis &axis : nestOf(found, "b").axes)
    EXPECT_EQ(axis.splits.front().tail, schedule::Tail::ShiftInwards);
  EXPECT_FALSE(nestOf(found, "b").axes == nestOf(start, "b").axes);
}

TEST(Frozen, AWholeFuncStaysAndWhatReadsItChanges) {
  Schedule start = poor();
  freeze(start, "b");
  const Schedule found = around(start).best.schedule;
  EXPECT_TRUE(planOf(found, "b") == planOf(start, "b"));
  EXPECT_FALSE(planOf(found, "c") == planOf(start, "c"));
}

TEST(Frozen, AMarkThatIsNotFrozenHoldsNothing) {
  Schedule start = poor();
  start.setMark({funcOf(start, "b"), 0, DecisionKind::Order, 0}, {Origin::User, false});
  const Searched found = searched({start, {}});
  EXPECT_FALSE(planOf(found.best.schedule, "b") == planOf(start, "b"));
}

TEST(Frozen, InlineStaysInline) {
  // If `a` is inlined, its values are computed nine times. No search would choose that by itself.
  const std::string costly = "input in 2050 2050\n"
                             "func a(x y) 2050 2050 sine sine = in(x+[-9,9]; y+[-9,9])\n"
                             "func b(x y) 2048 2048 = a(x; y) a(x+1; y) a(x+2; y) a(x; y+1) "
                             "a(x+1; y+1) a(x+2; y+1) a(x; y+2) a(x+1; y+2) a(x+2; y+2)\n"
                             "output b\n";
  const std::string nest = "b split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | "
                           "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";
  Schedule start = schedule::testing::scheduled(costly, nest);
  ASSERT_TRUE(planOf(start, "a").isInline());
  EXPECT_FALSE(planOf(searched({start, {}}).best.schedule, "a").isInline());
  freeze(start, "a", DecisionKind::Compute);
  const Searched found = searched({start, {}});
  EXPECT_TRUE(planOf(found.best.schedule, "a").isInline());
  EXPECT_FALSE(planOf(found.best.schedule, "b") == planOf(start, "b")) << "its reader is free";
}

TEST(Frozen, TheRegisterCapStays) {
  Schedule start = poor();
  schedule::Settings settings = start.settings();
  settings.registerCap = 16; // so few registers that many values spill
  start.set(settings);
  ASSERT_NE(searched({start, {}}).best.schedule.settings().registerCap, 16);
  freeze(start, kRegisterCap);
  const Searched found = searched({start, {}});
  EXPECT_EQ(found.best.schedule.settings().registerCap, 16);
  EXPECT_LT(found.best.seconds, found.startSeconds) << "all else may change";
}

TEST(Frozen, MarksAndPromisesAreStillThere) {
  Schedule start = poor();
  freeze(start, "b", DecisionKind::Order);
  schedule::Settings settings = start.settings();
  settings.promises.push_back({.buffer = "in", .hostAlignment = 64});
  start.set(settings);
  const Searched found = searched({start, {}});
  EXPECT_EQ(found.best.schedule.marks(), start.marks());
  EXPECT_EQ(found.best.schedule.settings().promises, start.settings().promises);
  EXPECT_FALSE(found.best.schedule == start);
}

// All decisions that a search may change are frozen, so there is nothing to search.
TEST(Frozen, AllStays) {
  Schedule start = poor();
  for (const char *func : {"a", "b", "c"})
    freeze(start, func);
  freeze(start, kRegisterCap);
  const Searched found = searched({start, {}});
  EXPECT_TRUE(found.best.schedule == start);
  EXPECT_TRUE(found.candidates.empty());
  EXPECT_EQ(found.progress.back(), 1);
}

// --- searches around some funcs

const std::string kTwoImages = "input in 2052 2052\n"
                               "func a(x y) 2050 2052 sine = in(x; y) in(x+1; y) in(x+2; y)\n"
                               "func b(x y) 2048 2050 = a(x; y) a(x+1; y) a(x+2; y)\n"
                               "func c(x y) 2050 2052 sine = in(x; y) in(x; y) in(x+1; y)\n"
                               "func d(x y) 2048 2050 = c(x; y) c(x+1; y) c(x+2; y)\n"
                               "output b\noutput d\n";

TEST(Frozen, ASearchAroundAFuncLeavesOtherKernelsAsTheyAre) {
  Schedule start = schedule::defaultSchedule(sketch(kTwoImages));
  freeze(start, {funcOf(start, "a"), 0, DecisionKind::Factors, 0});
  Problem problem{start, {}};
  const Searched whole = searched(problem);
  problem.around = {funcOf(start, "a")};
  const Searched found = searched(problem);
  for (const char *func : {"c", "d"})
    EXPECT_TRUE(planOf(found.best.schedule, func) == planOf(start, func)) << func;
  EXPECT_THAT(changedFrozen(start, found.best.schedule), IsEmpty());
  EXPECT_TRUE(schedule::isLegal(found.best.schedule, {}));
  EXPECT_LT(found.best.seconds, found.startSeconds);
  EXPECT_LT(found.evaluations, whole.evaluations);
}

TEST(Frozen, ASearchAroundAFuncIsNeverWorseThanTheBestItStartsFrom) {
  const Searched best = searched(kTwoImages);
  Problem problem{best.best.schedule, {}};
  problem.around = {funcOf(problem.start, "a")};
  const Searched found = searched(problem);
  EXPECT_LE(found.best.seconds, best.best.seconds);
  for (const char *func : {"c", "d"})
    EXPECT_TRUE(planOf(found.best.schedule, func) == planOf(problem.start, func)) << func;
}

// --- any frozen decisions of any schedule

// Returns a start of one of three kinds: what an algorithm found, the default schedule, or any
// legal schedule.
Schedule startOf(const pipeline::PipelinePtr &pipeline, Random &random) {
  constexpr std::array<std::string_view, 5> kAlgorithms{"auto", "autogpu", "autogpu-overlap",
                                                        "autogpu-nofusion", "autogpu-nested-all"};
  Schedule start = schedule::defaultSchedule(pipeline);
  const std::size_t source = random() % 10;
  if (source >= 6) return schedule::testing::randomSchedule(pipeline, {}, random);
  if (source < kAlgorithms.size()) return searched({start, {}}, kAlgorithms[source]).best.schedule;
  return start;
}

class FrozenRandomly : public ::testing::TestWithParam<const char *> {};

TEST_P(FrozenRandomly, Holds) {
  std::size_t faster = 0, fused = 0;
  constexpr std::uint64_t kSeeds = 400;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Random random(seed);
    const std::string text = schedule::testing::randomSketch(random, 2 + random() % 5);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    Schedule start = startOf(sketch(text), random);
    freezeSome(start, random);
    Problem problem{start, {}};
    problem.evaluations = 400;
    const Searched found = searched(problem, GetParam());
    EXPECT_THAT(changedFrozen(start, found.best.schedule), IsEmpty());
    for (const Candidate &candidate : found.candidates)
      EXPECT_THAT(changedFrozen(start, candidate.schedule), IsEmpty());
    const auto violations = schedule::check(found.best.schedule, {});
    EXPECT_TRUE(violations.empty()) << violations.front().message;
    EXPECT_DOUBLE_EQ(found.best.seconds, cost::predict(found.best.schedule, {}).seconds);
    EXPECT_TRUE(GetParam() != std::string("auto") || found.best.seconds <= found.startSeconds);
    faster += found.best.seconds < found.startSeconds ? 1 : 0;
    fused += schedule::testing::fusedFuncs(start) > 0 ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(faster, kSeeds / 5) << "what is not frozen is searched";
  EXPECT_GT(fused, kSeeds / 4) << "frozen funcs are in groups, too";
}

INSTANTIATE_TEST_SUITE_P(By, FrozenRandomly, ::testing::Values("auto", "autogpu"),
                         [](const auto &by) { return std::string(by.param); });

} // namespace
} // namespace tessera::search
