// SPDX-License-Identifier: MIT
#include "engine/document/choices.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/frozen_decisions.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <set>

namespace tessera::document {
namespace {

using machine::Machine;
using schedule::DecisionKind;
using schedule::Schedule;

Schedule blur() {
  return schedule::defaultSchedule(
      schedule::testing::scheduled("input in 1026 1026\n"
                                   "func blur_x(x y) 1024 1026 = in(x+[0,2]; y)\n"
                                   "func blur_y(x y) 1024 1024 = blur_x(x; y+[0,2])\n"
                                   "output blur_y\n",
                                   "")
          .base());
}

Choices all(const Schedule &schedule, const char *stage) {
  Choices choices;
  choicesFor(
      schedule, schedule::testing::stageOf(schedule, stage), Machine{}, {},
      [&](Choices more) { std::move(more.begin(), more.end(), std::back_inserter(choices)); });
  return choices;
}

TEST(Choices, AreTheLegalEditsWithWhatTheyWouldTake) {
  const Schedule schedule = blur();
  for (const char *stage : {"blur_x", "blur_y"}) {
    const Choices choices = all(schedule, stage);
    const auto edits =
        schedule::edits(schedule, schedule::testing::stageOf(schedule, stage), Machine{});
    ASSERT_EQ(choices.size(), edits.size());
    ASSERT_GT(choices.size(), 2U);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      EXPECT_EQ(choices[i].value, edits[i].value);
      EXPECT_TRUE(schedule::isLegal(choices[i].after, Machine{}));
      EXPECT_NEAR(choices[i].seconds, cost::predict(choices[i].after, Machine{}).seconds,
                  1e-9 * choices[i].seconds)
          << choices[i].value;
    }
  }
}

TEST(Choices, StopWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const Schedule schedule = blur();
  choicesFor(schedule, pipeline::StageId{0}, Machine{}, stop.get_token(),
             [](const Choices &) { FAIL() << "nothing is told any more"; });
}

TEST(Choices, OfTheRegisterCapAreLegalAndOthers) {
  const Schedule schedule = blur();
  std::set<std::string> caps;
  settingChoices(schedule, Machine{}, [&](const Choices &choices) {
    for (const Choice &choice : choices) {
      EXPECT_EQ(choice.decision.kind, DecisionKind::RegisterCap);
      EXPECT_EQ(std::to_string(choice.after.settings().registerCap), choice.value);
      caps.insert(choice.value);
    }
  });
  EXPECT_TRUE(caps.contains("128"));
  EXPECT_FALSE(caps.contains("64")) << "it is 64";
}

TEST(Choices, AChosenDecisionIsTheUsersAndFrozen) {
  const Schedule schedule = blur();
  const Choices choices = all(schedule, "blur_x");
  const Schedule after = chosen(choices.front());
  EXPECT_EQ(after.mark(choices.front().decision), (schedule::Mark{schedule::Origin::User, true}));
  EXPECT_FALSE(search::FrozenDecisions(after).empty());
  EXPECT_EQ(after, choices.front().after);
}

} // namespace
} // namespace tessera::document
