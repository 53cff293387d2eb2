// SPDX-License-Identifier: MIT
// Values that somebody types: any legal size, and the reason for what is not legal.
#include "engine/document/typed_choices.h"

#include "engine/document/cell_changes.h"
#include "engine/document/shared_choices.h"
#include "engine/cost/prediction.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>

namespace tessera::document {
namespace {

using machine::Machine;
using schedule::DecisionColumn;
using schedule::DecisionKind;
using schedule::Schedule;
using schedule::testing::planOf;
using schedule::testing::stageOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A block of f or g has 32 threads along x, in one row.
Schedule blur() {
  return schedule::testing::scheduled(
      "input in 1026 66\n"
      "func f(x y) 1026 64 = in(x; y+[0,2])\n"
      "func g(x y) 1024 64 = f(x+[0,2]; y)\n"
      "output g\n",
      "f compute_root | split x a b 32 guard_with_if | reorder b a y | gpu_threads b | "
      "gpu_blocks a y\n"
      "g split x a b 32 guard_with_if | reorder b a y | gpu_threads b | gpu_blocks a y\n");
}

TypedChoices typed(const Schedule &schedule, const char *stage, std::string_view text,
                   std::optional<DecisionColumn> column = {}) {
  return typedChoices(schedule, stageOf(schedule, stage), column, text, Machine{}, {});
}

std::vector<std::string> values(const Choices &choices) {
  std::vector<std::string> values;
  for (const Choice &choice : choices)
    values.push_back(choice.value);
  return values;
}

std::vector<std::string> values(const std::vector<RefusedChoice> &refused) {
  std::vector<std::string> values;
  for (const RefusedChoice &one : refused)
    values.push_back(one.value);
  return values;
}

std::vector<std::string> listed(const Schedule &schedule, const char *stage) {
  Choices all;
  choicesFor(schedule, stageOf(schedule, stage), Machine{}, {},
             [&](Choices more) { std::ranges::move(more, std::back_inserter(all)); });
  return values(all);
}

TEST(TypedChoices, AnyLegalNumberMayBeTyped) {
  const Schedule schedule = blur();
  for (const char *text : {"12", "x_thread 12", "x_thread: 12", "X_Thread=12"}) {
    const TypedChoices found = typed(schedule, "g", text, DecisionColumn::Tile);
    ASSERT_THAT(values(found.legal), Contains("x_thread: 12")) << text;
    EXPECT_THAT(listed(schedule, "g"), Not(Contains("x_thread: 12"))) << "it is listed anyway";
    const auto twelve = std::ranges::find(found.legal, "x_thread: 12", &Choice::value);
    EXPECT_TRUE(schedule::isLegal(twelve->after, Machine{}));
    EXPECT_EQ(planOf(twelve->after, "g").stages.front().nest.axes[0].splits.front().factor, 12);
    EXPECT_DOUBLE_EQ(twelve->seconds, cost::predict(twelve->after, Machine{}).seconds);
    EXPECT_TRUE(chosen(*twelve).mark(twelve->decision).frozen);
  }
}

TEST(TypedChoices, ANewPartOfALoopMayHaveAnyLengthToo) {
  EXPECT_THAT(values(typed(blur(), "g", "6 unrolled").legal),
              Contains("x_thread: 6 unrolled inside"));
}

// For a whole value that the user types, no other value is offered, even if the other is faster or
// the typed one is refused.
TEST(TypedChoices, AWholeValueMeansItselfAlone) {
  EXPECT_THAT(values(typed(blur(), "g", "thread 12").legal),
              Contains("x_thread: 12 unrolled inside"));
  EXPECT_THAT(values(typed(blur(), "g", "x_thread 12").legal), ElementsAre("x_thread: 12"));
  const TypedChoices tooMany = typed(blur(), "g", "x_thread 2048");
  EXPECT_TRUE(tooMany.legal.empty());
  EXPECT_THAT(values(tooMany.refused), ElementsAre("x_thread: 2048"));
  EXPECT_TRUE(typed(blur(), "g", "x_thread 32").legal.empty()) << "it is decided already";
}

TEST(TypedChoices, WhatIsRefusedSaysWhy) {
  const TypedChoices found = typed(blur(), "g", "x_thread 2048", DecisionColumn::Tile);
  EXPECT_THAT(values(found.legal), Not(Contains("x_thread: 2048")));
  const auto refused = std::ranges::find(found.refused, "x_thread: 2048", &RefusedChoice::value);
  ASSERT_NE(refused, found.refused.end());
  EXPECT_EQ(refused->decision.kind, DecisionKind::Factors);
  EXPECT_THAT(refused->reason, HasSubstr("2048 threads"));
  EXPECT_THAT(refused->reason, HasSubstr("allowed: "));
}

TEST(TypedChoices, ANumberStandsForItselfAlone) {
  for (const std::string &value : values(typed(blur(), "g", "6").legal))
    EXPECT_THAT(value, Not(HasSubstr("16")));
  EXPECT_THAT(values(typed(blur(), "g", "x_thread 6").refused), Not(Contains("x_thread: 64")));
}

TEST(TypedChoices, WhatIsDecidedAlreadyIsToldApart) {
  const TypedChoices found = typed(blur(), "g", "x_thread 32", DecisionColumn::Tile);
  EXPECT_THAT(found.current, ElementsAre("x_thread: 32"));
  EXPECT_THAT(values(found.legal), Not(Contains("x_thread: 32")));
}

TEST(TypedChoices, WordsFindTheListedValuesAndNonsenseNothing) {
  EXPECT_THAT(values(typed(blur(), "f", "INLINE").legal), ElementsAre("inline"));
  EXPECT_TRUE(typed(blur(), "f", "nonsense").empty());
  EXPECT_TRUE(typed(blur(), "f", "").empty());
  EXPECT_TRUE(typed(blur(), "f", "0").empty());
  EXPECT_TRUE(typed(blur(), "f", "99999999999999999999999").empty());
}

TEST(TypedChoices, ACellHasOnlyWhatChangesIt) {
  const Schedule schedule = blur();
  EXPECT_TRUE(typed(schedule, "f", "12", DecisionColumn::Compute).empty());
  EXPECT_TRUE(typed(schedule, "f", "inline", DecisionColumn::Tile).empty());
  const CellChanges tile(schedule, {stageOf(schedule, "g")}, DecisionColumn::Tile);
  for (const Choice &choice : typed(schedule, "g", "12").legal)
    EXPECT_TRUE(tile.has(choice.decision, choice.after)) << choice.value;
  const CellChanges place(schedule, {stageOf(schedule, "f")}, DecisionColumn::Compute);
  for (const Choice &choice : typed(schedule, "f", "inline").legal) {
    EXPECT_TRUE(place.has(choice.decision, choice.after));
    EXPECT_FALSE(tile.has(choice.decision, choice.after)) << "a place is no tile";
  }
}

TEST(TypedChoices, TheRegisterCapIsFreeAsWell) {
  const Schedule schedule = blur();
  const auto cap = [&](std::string_view text) {
    return typedChoices(schedule, std::nullopt, {}, text, Machine{}, {});
  };
  ASSERT_EQ(cap("100").legal.size(), 1U);
  EXPECT_EQ(cap("100").legal.front().after.settings().registerCap, 100);
  ASSERT_EQ(cap("300").refused.size(), 1U);
  EXPECT_THAT(cap("300").refused.front().reason, HasSubstr("16 to 255"));
  EXPECT_THAT(cap("64").current, ElementsAre("64"));
  EXPECT_TRUE(cap("many").empty());
}

TEST(TypedChoices, SeveralStagesGetTheSameSize) {
  const Schedule schedule = blur();
  const std::vector<pipeline::StageId> both{stageOf(schedule, "f"), stageOf(schedule, "g")};
  const auto shared = [&](std::string_view text) {
    return typedSharedChoices(schedule, both, DecisionColumn::Tile, text, Machine{}, {});
  };
  const TypedChoices found = shared("x_thread 12");
  const auto twelve = std::ranges::find(found.legal, "x_thread: 12", &Choice::value);
  ASSERT_NE(twelve, found.legal.end());
  for (const char *func : {"f", "g"})
    EXPECT_EQ(planOf(twelve->after, func).stages.front().nest.axes[0].splits.front().factor, 12);
  EXPECT_TRUE(schedule::isLegal(twelve->after, Machine{}));
  const TypedChoices tooMany = shared("x_thread 2048");
  ASSERT_THAT(values(tooMany.refused), Contains("x_thread: 2048"));
  EXPECT_THAT(tooMany.refused.front().reason, HasSubstr("threads"));
}

TEST(TypedChoices, StopWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const Schedule schedule = blur();
  const auto found =
      typedChoices(schedule, stageOf(schedule, "g"), {}, "12", Machine{}, stop.get_token());
  EXPECT_TRUE(found.empty());
}

TEST(TypedChoices, AnExternStageSaysWhyNothingIsLegal) {
  const Schedule schedule = schedule::testing::scheduled("input in 64\n"
                                                         "func e(x) 64 extern = in(?)\n"
                                                         "func c(x) 64 = e(x)\n"
                                                         "output c\n",
                                                         "");
  const TypedChoices choices = typed(schedule, "e", "inline");
  EXPECT_TRUE(choices.legal.empty());
  ASSERT_EQ(choices.refused.size(), 1u);
  EXPECT_EQ(choices.refused[0].value, "inline");
  EXPECT_EQ(choices.refused[0].reason,
            "e is an extern stage: the function e_call computes it, and nothing about it can be "
            "decided");
  EXPECT_FALSE(refusedByExtern(schedule, stageOf(schedule, "c"), "inline"));
}

} // namespace
} // namespace tessera::document
