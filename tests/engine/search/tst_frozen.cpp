// SPDX-License-Identifier: MIT
// What the user froze stays, whatever the search would like better.
#include "engine/cost/prediction.h"
#include "engine/schedule/default_schedule.h"
#include "engine/schedule/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/searched.h"

#include <gtest/gtest.h>

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
using testing::Searched;
using testing::searched;

constexpr schedule::Mark kFrozen{Origin::User, true};
const DecisionKey kRegisterCap{{}, 0, DecisionKind::RegisterCap, 0};

void freeze(Schedule &schedule, std::string_view func, DecisionKind kind) {
  schedule.setMark({funcOf(schedule, func), 0, kind, 0}, kFrozen);
}

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

TEST(Frozen, AKernelStaysWholeAndTheOthersGetBetter) {
  Schedule start = poor();
  freeze(start, "b", DecisionKind::Order);
  const Searched found = searched({start, {}});
  for (const char *func : {"a", "b"})
    EXPECT_TRUE(planOf(found.best.schedule, func) == planOf(start, func)) << func;
  EXPECT_FALSE(planOf(found.best.schedule, "c") == planOf(start, "c"));
  EXPECT_LT(found.best.seconds, found.startSeconds);
}

TEST(Frozen, AMarkThatIsNotFrozenHoldsNothing) {
  Schedule start = poor();
  start.setMark({funcOf(start, "b"), 0, DecisionKind::Order, 0}, {Origin::User, false});
  const Searched found = searched({start, {}});
  EXPECT_FALSE(planOf(found.best.schedule, "b") == planOf(start, "b"));
}

TEST(Frozen, InlineStaysInline) {
  // Computed again for each of nine points, so that nobody would choose it.
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
  settings.registerCap = 16; // at which much is spilled
  start.set(settings);
  ASSERT_NE(searched({start, {}}).best.schedule.settings().registerCap, 16);
  start.setMark(kRegisterCap, kFrozen);
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

// All of it: there is nothing to search.
TEST(Frozen, AllStays) {
  Schedule start = poor();
  for (const char *func : {"a", "b", "c"})
    freeze(start, func, DecisionKind::Compute);
  start.setMark(kRegisterCap, kFrozen);
  const Searched found = searched({start, {}});
  EXPECT_TRUE(found.best.schedule == start);
  EXPECT_TRUE(found.candidates.empty());
  EXPECT_EQ(found.progress.back(), 1);
}

// Some decisions of some funcs; most often one func.
void freezeSome(Schedule &schedule, Random &random) {
  constexpr int kOfFuncs = static_cast<int>(DecisionKind::RegisterCap);
  const std::size_t funcs = schedule.pipeline()->funcs().size();
  const std::size_t count = 1 + (random() % 3 == 0 ? random() % 3 : 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto func = static_cast<FuncId>(random() % funcs);
    const auto kind = static_cast<DecisionKind>(random() % kOfFuncs);
    const auto stage =
        static_cast<std::uint32_t>(random() % schedule.pipeline()->func(func).stageCount);
    schedule.setMark({func, kind <= DecisionKind::Bounds ? 0 : stage, kind, 0}, kFrozen);
  }
}

TEST(Frozen, StaysInRandomSchedules) {
  std::size_t faster = 0, fused = 0;
  constexpr std::uint64_t kSeeds = 200;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Random random(seed);
    const std::string text = schedule::testing::randomSketch(random, 2 + random() % 5);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    Schedule start = schedule::testing::randomSchedule(sketch(text), {}, random);
    freezeSome(start, random);
    Problem problem{start, {}};
    problem.evaluations = 400;
    const Searched found = searched(problem);
    for (const auto &[key, mark] : start.marks())
      EXPECT_TRUE(!mark.frozen || found.best.schedule.plan(key.func) == start.plan(key.func))
          << "frozen func " << start.pipeline()->func(key.func).name;
    const auto violations = schedule::check(found.best.schedule, {});
    EXPECT_TRUE(violations.empty()) << violations.front().message;
    EXPECT_LE(found.best.seconds, found.startSeconds);
    EXPECT_DOUBLE_EQ(found.best.seconds, cost::predict(found.best.schedule, {}).seconds);
    faster += found.best.seconds < found.startSeconds ? 1 : 0;
    fused += schedule::testing::fusedFuncs(start) > 0 ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(faster, kSeeds / 4) << "what is not frozen is searched";
  EXPECT_GT(fused, kSeeds / 4) << "frozen funcs are in groups, too";
}

} // namespace
} // namespace tessera::search
