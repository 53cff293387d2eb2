// SPDX-License-Identifier: MIT
// Frozen decisions that no legal schedule can keep, and frozen decisions that a legal schedule can
// keep although the start is illegal.
#include "engine/search/kernels/frozen_conflict.h"

#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/freezes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::search {
namespace {

using schedule::DecisionKey;
using schedule::DecisionKind;
using schedule::FuncPlan;
using schedule::Place;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::planOf;
using testing::changedFrozen;
using testing::freeze;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const DecisionKey kRegisterCap{{}, 0, DecisionKind::RegisterCap, 0};

Schedule blurred() {
  return schedule::testing::scheduled(
      "input in 2052 2052\n"
      "func a(x y) 2050 2052 sine = in(x; y) in(x+1; y) in(x+2; y)\n"
      "func b(x y) 2048 2050 sine = a(x; y) a(x+1; y) a(x+2; y)\n"
      "func c(x y) 2048 2048 = b(x; y) b(x; y+1) b(x; y+2)\n"
      "output c\n",
      "c split x xo xi 64 guard_with_if | split y yo yi 8 guard_with_if | "
      "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n"
      "b compute_at c:xo | gpu_threads x y\n"
      "a compute_root | split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | "
      "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n");
}

template <typename Change>
void change(Schedule &schedule, std::string_view func, Change what) {
  FuncPlan plan = planOf(schedule, func);
  what(plan);
  schedule.set(funcOf(schedule, func), std::move(plan));
}

void resize(Schedule &schedule, std::string_view func, std::size_t axis, std::int64_t factor) {
  change(schedule, func, [&](FuncPlan &plan) {
    plan.stages.front().nest.axes[axis].splits.front().factor = factor;
  });
}

// Expects that legalStart() finds a legal schedule that keeps all frozen decisions of `wanted`.
void expectStart(const Schedule &wanted) {
  const auto start = legalStart(wanted, {});
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_TRUE(schedule::isLegal(*start, {}));
  EXPECT_THAT(changedFrozen(wanted, *start), IsEmpty());
  EXPECT_EQ(start->marks(), wanted.marks());
}

Error refusal(const Schedule &wanted) {
  const auto start = legalStart(wanted, {});
  return start ? Error{{}, "it is legal", {}} : start.error();
}

TEST(FrozenConflict, ALegalStartIsTheStart) {
  Schedule wanted = blurred();
  freeze(wanted, "b");
  EXPECT_TRUE(*legalStart(wanted, {}) == wanted);
  EXPECT_THAT(conflictIn(wanted, {}), IsEmpty());
}

TEST(FrozenConflict, AnIllegalStartWithNothingFrozenIsRefused) {
  Schedule wanted = blurred();
  resize(wanted, "c", 0, 2048);
  const Error wrong = refusal(wanted);
  EXPECT_EQ(wrong.code, ErrorCode::InputRefused);
  EXPECT_THAT(wrong.message, HasSubstr("the schedule to start from is not legal: "));
  EXPECT_THAT(wrong.message, HasSubstr("2048"));
}

TEST(FrozenConflict, WhatIsNotFrozenIsMended) {
  Schedule wanted = blurred();
  resize(wanted, "c", 0, 2048); // 2048 threads, which are too many
  ASSERT_FALSE(schedule::isLegal(wanted, {}));
  freeze(wanted, "c", DecisionKind::Order);
  freeze(wanted, "b", DecisionKind::Compute);
  expectStart(wanted);
}

TEST(FrozenConflict, AFuncIsMovedToWhereItsStorageIs) {
  Schedule wanted = blurred();
  change(wanted, "a", [](FuncPlan &plan) { plan.storage = schedule::Storage::Shared; });
  ASSERT_FALSE(schedule::isLegal(wanted, {})) << "a kernel's result";
  freeze(wanted, "a", DecisionKind::Storage);
  freeze(wanted, "b", DecisionKind::Compute);
  expectStart(wanted);
}

TEST(FrozenConflict, APlaceAndAStorageAreNamed) {
  Schedule wanted = blurred();
  change(wanted, "a", [](FuncPlan &plan) { plan.storage = schedule::Storage::Shared; });
  freeze(wanted, "a", DecisionKind::Compute);
  freeze(wanted, "a", DecisionKind::Storage);
  const Error error = refusal(wanted);
  EXPECT_EQ(error.code, ErrorCode::InputRefused);
  EXPECT_EQ(error.message, "frozen decisions conflict: no legal schedule was found with both the "
                           "compute place of a (own kernel) and the storage of a (shared)");
  EXPECT_THAT(error.hint, HasSubstr("unfreeze one of them: "));
}

TEST(FrozenConflict, TwoStagesAreNamed) {
  Schedule wanted = blurred();
  const Place inB = planOf(wanted, "b").compute;
  ASSERT_EQ(inB.kind, Place::Kind::At);
  change(wanted, "a", [&](FuncPlan &plan) {
    plan = planOf(wanted, "b");
    plan.compute = Place::at(schedule::testing::stageOf(wanted, "b"), {0, 0});
  });
  change(wanted, "b", [&](FuncPlan &plan) { plan.compute = Place::inlined(); });
  freeze(wanted, "a", DecisionKind::Compute);
  freeze(wanted, "b", DecisionKind::Compute);
  freeze(wanted, "c", DecisionKind::Tails);
  const Error error = refusal(wanted);
  EXPECT_THAT(error.message, HasSubstr("both the compute place of a (at b: x"));
  EXPECT_THAT(error.message, HasSubstr(" and the compute place of b (inline)"));
}

TEST(FrozenConflict, OneThatNothingAllowsIsNamedAlone) {
  Schedule wanted = blurred();
  schedule::Settings settings = wanted.settings();
  settings.registerCap = 8;
  wanted.set(settings);
  freeze(wanted, kRegisterCap);
  freeze(wanted, "b");
  const Error error = refusal(wanted);
  EXPECT_EQ(error.message, "no legal schedule was found with the register cap (8)");
  EXPECT_THAT(error.hint, HasSubstr("the register cap is 8"));
}

TEST(FrozenConflict, OfManyOnlyThoseThatConflictAreNamed) {
  Schedule wanted = blurred();
  for (const char *func : {"a", "b", "c"})
    freeze(wanted, func);
  change(wanted, "a", [](FuncPlan &plan) { plan.storage = schedule::Storage::Shared; });
  const std::vector<DecisionKey> conflict = conflictIn(wanted, {});
  EXPECT_LE(conflict.size(), 2u);
  ASSERT_FALSE(conflict.empty());
  EXPECT_TRUE(std::ranges::all_of(
      conflict, [&](const DecisionKey &decision) { return decision.func == funcOf(wanted, "a"); }));
}

TEST(FrozenConflict, ThreeAreNamedWhereItTakesThree) {
  // 64 × 32 threads per block are too many. Three decisions are in conflict: the two factors, and
  // the decision "order", which makes thread loops of both loops.
  Schedule wanted = blurred();
  resize(wanted, "c", 1, 32);
  ASSERT_FALSE(schedule::isLegal(wanted, {}));
  freeze(wanted, "c", DecisionKind::Factors);
  freeze(wanted, "c", DecisionKind::Order);
  const std::vector<DecisionKey> conflict = conflictIn(wanted, {});
  EXPECT_EQ(conflict.size(), 3u);
  EXPECT_THAT(refusal(wanted).message,
              HasSubstr("all of the tile of c along x (64), the tile of c along y (32) and "
                        "the loops of c"));
  for (const DecisionKey &decision : conflict) {
    Schedule without = wanted;
    without.setMark(decision, {});
    expectStart(without);
  }
}

// The start is one edit away from a legal schedule, and some of its decisions are frozen.
TEST(FrozenConflict, RandomOnesAreMendedOrNamed) {
  std::size_t mended = 0, named = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    schedule::testing::Random random(seed);
    const std::string text = schedule::testing::randomSketch(random, 2 + random() % 5);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const auto refused = schedule::testing::randomRefused(
        schedule::testing::randomSchedule(pipeline::test::sketch(text), {}, random), {}, random);
    if (!refused) continue;
    Schedule wanted = refused->schedule;
    testing::freezeSome(wanted, random);
    if (legalStart(wanted, {})) {
      expectStart(wanted);
      ++mended;
    } else {
      const std::vector<DecisionKey> conflict = conflictIn(wanted, {});
      ASSERT_FALSE(conflict.empty());
      Schedule only = wanted;
      only.setMarks({});
      for (const DecisionKey &decision : conflict)
        freeze(only, decision);
      EXPECT_FALSE(legalAround(only, {})) << "these alone conflict";
      only.setMark(conflict.front(), {});
      EXPECT_TRUE(legalAround(only, {})) << "and not without the first";
      ++named;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(mended, 30u);
  EXPECT_GT(named, 10u);
}

// Expects a legal start that keeps all frozen decisions of `wanted`, and returns it.
Schedule fresh(const Schedule &wanted) {
  const auto start = freshStart(wanted, {});
  if (!start) {
    ADD_FAILURE() << start.error().message;
    return wanted;
  }
  EXPECT_TRUE(schedule::isLegal(*start, {}));
  EXPECT_THAT(changedFrozen(wanted, *start), IsEmpty());
  EXPECT_EQ(start->marks(), wanted.marks());
  return *start;
}

TEST(FreshStart, WithNothingFrozenIsTheDefault) {
  const auto start = freshStart(blurred(), {});
  ASSERT_TRUE(start);
  EXPECT_EQ(*start, schedule::defaultSchedule(blurred().base()));
}

TEST(FreshStart, KeepsOnlyWhatIsFrozen) {
  Schedule wanted = blurred();
  freeze(wanted, "a", DecisionKind::Factors);
  const Schedule start = fresh(wanted);
  EXPECT_EQ(planOf(start, "a").stages.front().nest.axes[0].splits.front().factor, 32);
  EXPECT_TRUE(planOf(start, "b").isRoot()) << "the place of b was not frozen";
}

TEST(FreshStart, KeepsPlacesWithTheLoopsThatTheyName) {
  Schedule wanted = blurred();
  freeze(wanted, "b", DecisionKind::Compute);
  const Schedule start = fresh(wanted);
  EXPECT_EQ(planOf(start, "b").compute, planOf(wanted, "b").compute);
}

TEST(FreshStart, ForgetsTheRegisterCapUnlessItIsFrozen) {
  Schedule wanted = blurred();
  schedule::Settings settings = wanted.settings();
  settings.registerCap = 128;
  wanted.set(settings);
  freeze(wanted, "a", DecisionKind::Factors);
  EXPECT_EQ(fresh(wanted).settings().registerCap, schedule::Settings{}.registerCap);
  freeze(wanted, kRegisterCap);
  EXPECT_EQ(fresh(wanted).settings().registerCap, 128);
}

TEST(FreshStart, HoldsWhateverIsFrozen) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    schedule::testing::Random random(seed);
    Schedule wanted = blurred();
    testing::freezeSome(wanted, random);
    fresh(wanted);
  }
}

TEST(FrozenTexts, NameTheDecisionsAndTheirValues) {
  Schedule wanted = blurred();
  EXPECT_THAT(frozenTexts(wanted), IsEmpty());
  freeze(wanted, "b", DecisionKind::Compute);
  freeze(wanted, kRegisterCap);
  EXPECT_THAT(frozenTexts(wanted),
              ::testing::UnorderedElementsAre("the compute place of b (at c: x_block)",
                                              "the register cap (64)"));
}

} // namespace
} // namespace tessera::search
