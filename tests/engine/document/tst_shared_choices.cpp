// SPDX-License-Identifier: MIT
// A value for several stages is offered only if it is legal for all of them.
#include "engine/document/shared_choices.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace tessera::document {
namespace {

using machine::Machine;
using pipeline::StageId;
using schedule::DecisionColumn;
using schedule::DecisionKind;
using schedule::Schedule;

// a and b have two dimensions and are inlined. c has one dimension and is the output.
Schedule inlined() {
  return schedule::defaultSchedule(
      schedule::testing::scheduled("input in 1026 1026\n"
                                   "func a(x y) 1024 1026 = in(x+[0,2]; y)\n"
                                   "func b(x y) 1024 1024 = a(x; y+[0,2])\n"
                                   "func c(x) 1024 = b(x; [0,9])\n"
                                   "output c\n",
                                   "")
          .base());
}

std::vector<StageId> stages(const Schedule &schedule, std::initializer_list<const char *> names) {
  std::vector<StageId> ids;
  for (const char *name : names)
    ids.push_back(schedule::testing::stageOf(schedule, name));
  return ids;
}

Choices all(const Schedule &schedule, const std::vector<StageId> &ids, DecisionColumn column) {
  Choices choices;
  sharedChoices(schedule, ids, column, Machine{}, {}, [&](Choices more) {
    std::move(more.begin(), more.end(), std::back_inserter(choices));
  });
  return choices;
}

const Choice *find(const Choices &choices, DecisionKind kind, const std::string &value) {
  const auto at = std::ranges::find_if(choices, [&](const Choice &choice) {
    return choice.decision.kind == kind && choice.value == value;
  });
  return at == choices.end() ? nullptr : &*at;
}

// Each func is a kernel of its own.
Schedule chain() {
  const Schedule start = inlined();
  const Choices choices = all(start, stages(start, {"a", "b"}), DecisionColumn::Compute);
  const Choice *own = find(choices, DecisionKind::Compute, "own kernel");
  return own ? own->after : start;
}

TEST(SharedChoices, AreOfAllStagesAtOnce) {
  const Schedule schedule = chain();
  const auto ids = stages(schedule, {"a", "b"});
  const Choices choices = all(schedule, ids, DecisionColumn::Tile);
  ASSERT_GT(choices.size(), 3U);
  std::set<std::tuple<DecisionKind, int, std::string>> seen;
  for (const Choice &choice : choices) {
    EXPECT_TRUE(schedule::isLegal(choice.after, Machine{})) << choice.value;
    EXPECT_EQ(choice.seconds, cost::predict(choice.after, Machine{}).seconds);
    EXPECT_TRUE(seen.emplace(choice.decision.kind, choice.decision.axis, choice.value).second)
        << choice.value;
    if (choice.decision.kind != DecisionKind::Factors) continue;
    EXPECT_EQ(cellText(choice.after, ids[0], DecisionColumn::Tile),
              cellText(choice.after, ids[1], DecisionColumn::Tile))
        << choice.value;
  }
}

TEST(SharedChoices, WhatOneCannotHaveIsNotOffered) {
  const Schedule schedule = chain();
  const auto both = stages(schedule, {"a", "b"}), three = stages(schedule, {"a", "b", "c"});
  const auto along = [](const Choices &choices, int axis) {
    return std::ranges::count_if(choices, [&](const Choice &choice) {
      return choice.decision.kind == DecisionKind::Factors && choice.decision.axis == axis;
    });
  };
  const Choices two = all(schedule, both, DecisionColumn::Tile);
  const Choices each = all(schedule, three, DecisionColumn::Tile);
  EXPECT_GT(along(two, 1), 0);
  EXPECT_EQ(along(each, 1), 0) << "c has no y";
  EXPECT_GT(along(each, 0), 0);
}

// An output cannot be inlined, so "inline" is not offered for a selection with an output.
TEST(SharedChoices, OfPlacesToo) {
  const Schedule schedule = chain();
  const Choices inner = all(schedule, stages(schedule, {"a", "b"}), DecisionColumn::Compute);
  const Choice *both = find(inner, DecisionKind::Compute, "inline");
  ASSERT_TRUE(both);
  for (const StageId stage : stages(schedule, {"a", "b"}))
    EXPECT_EQ(cellText(both->after, stage, DecisionColumn::Compute), "inline");
  const Choices outer = all(schedule, stages(schedule, {"b", "c"}), DecisionColumn::Compute);
  EXPECT_FALSE(find(outer, DecisionKind::Compute, "inline"));
}

TEST(SharedChoices, OneThatHasItAlreadyStays) {
  const Schedule schedule = chain();
  const auto ids = stages(schedule, {"a", "b"});
  const Choices first = all(schedule, stages(schedule, {"a"}), DecisionColumn::Compute);
  const Choice *one = find(first, DecisionKind::Compute, "inline");
  ASSERT_TRUE(one);
  const Choices rest = all(one->after, ids, DecisionColumn::Compute);
  const Choice *both = find(rest, DecisionKind::Compute, "inline");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->decision.func, schedule.pipeline()->stage(ids[1]).func);
  EXPECT_EQ(cellText(both->after, ids[0], DecisionColumn::Compute), "inline");
}

TEST(SharedChoices, AreTheUsersAndFrozen) {
  const Schedule schedule = chain();
  const auto ids = stages(schedule, {"a", "b"});
  const Choices choices = all(schedule, ids, DecisionColumn::Compute);
  const Choice *both = find(choices, DecisionKind::Compute, "inline");
  ASSERT_TRUE(both);
  const Schedule after = chosen(*both);
  for (const StageId stage : ids)
    for (const schedule::DecisionKey &key : decisionsIn(after, stage, DecisionColumn::Compute))
      EXPECT_EQ(after.mark(key), (schedule::Mark{schedule::Origin::User, true}));
}

TEST(SharedChoices, StopWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const Schedule schedule = chain();
  sharedChoices(schedule, stages(schedule, {"a", "b"}), DecisionColumn::Tile, Machine{},
                stop.get_token(), [](const Choices &) { FAIL() << "nothing is told any more"; });
}

} // namespace
} // namespace tessera::document
