// SPDX-License-Identifier: MIT
#include "engine/schedule/text/schedule_json.h"

#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/edits/wrong_requests.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>

namespace tessera::schedule {
namespace {

using nlohmann::json;
using pipeline::FuncId;
using testing::scheduled;

constexpr std::string_view kBlur = "input in 66 66\n"
                                   "func f(x y) 66 64 = in(x; y+[0,2])\n"
                                   "func g(x y) 64 64 = f(x+[0,2]; y)\n"
                                   "output g\n";

Schedule blur() {
  Schedule schedule = scheduled(kBlur, "f compute_at g:x | store_in shared\ng gpu_blocks x y");
  schedule.set(Settings{
      128,
      {{.buffer = "in", .dim = 1, .min = 0, .extent = 66, .stride = 66, .hostAlignment = 16}}});
  schedule.setMark({{}, 0, DecisionKind::RegisterCap, 0}, {Origin::Imported, false});
  schedule.setMark({FuncId{1}, 0, DecisionKind::Factors, 1}, {Origin::User, true});
  return schedule;
}

TEST(ScheduleJson, IsADocument) {
  EXPECT_EQ(toJson(blur()).dump(2), R"({
  "tessera_schedule": 1,
  "pipeline": "sketch",
  "register_cap": 128,
  "promises": [
    {
      "buffer": "in",
      "dim": 1,
      "min": 0,
      "extent": 66,
      "stride": 66,
      "host_alignment": 16
    }
  ],
  "directives": [
    {
      "func": "g",
      "call": "gpu_blocks",
      "arguments": [
        {
          "loop": "x"
        },
        {
          "loop": "y"
        }
      ]
    },
    {
      "func": "f",
      "call": "compute_at",
      "arguments": [
        {
          "func": "g",
          "stage": 0,
          "loop": "x"
        }
      ]
    },
    {
      "func": "f",
      "call": "store_in",
      "arguments": [
        {
          "storage": "shared"
        }
      ]
    }
  ],
  "marks": [
    {
      "decision": "register_cap",
      "origin": "imported"
    },
    {
      "func": "g",
      "decision": "factors",
      "axis": 1,
      "origin": "user",
      "frozen": true
    }
  ]
})");
}

TEST(ScheduleJson, IsReadBackAsItWas) {
  const Schedule schedule = blur();
  const auto back = scheduleFromJson(schedule.base(), json::parse(toJson(schedule).dump()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, schedule);
  EXPECT_EQ(back->settings(), schedule.settings());
  EXPECT_EQ(back->marks(), schedule.marks());
}

TEST(ScheduleJson, EmptyListsAreLeftOut) {
  const auto document = toJson(scheduled(kBlur, "f compute_root"));
  EXPECT_FALSE(document.contains("promises"));
  EXPECT_FALSE(document.contains("marks"));
}

TEST(ScheduleJson, MarksOfAddedStagesAreRead) {
  Schedule schedule = scheduled(kBlur, "f in g -> copy\ncopy compute_root");
  const DecisionKey key{testing::funcOf(schedule, "copy"), 0, DecisionKind::Compute, 0};
  schedule.setMark(key, {Origin::User, true});
  const auto back = scheduleFromJson(schedule.base(), json::parse(toJson(schedule).dump()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->mark(key), (Mark{Origin::User, true}));
}

// --- refusals: each is a document in which one member was changed

struct Wrong {
  const char *member; // a JSON pointer into the document
  const char *value;  // JSON text; empty to remove the member
  const char *message;
};

constexpr auto kWrong = std::to_array<Wrong>({
    {"/tessera_schedule", "",
     "schedule: it is not a Tessera schedule: 'tessera_schedule' is missing"},
    {"/tessera_schedule", "2",
     "schedule: the document: 'tessera_schedule' is not a number in range"},
    {"/register_cap", "", "schedule: the document: 'register_cap' is missing"},
    {"/register_cap", "0", "schedule: the document: 'register_cap' is not a number in range"},
    {"/register_cap", "1e3", "schedule: the document: 'register_cap' is not a number in range"},
    {"/register_cap", "18446744073709551615",
     "schedule: the document: 'register_cap' is not a number in range"},
    {"/promises", "{}", "schedule: 'promises' is not a list"},
    {"/promises/0", "7", "schedule: a promise is not an object"},
    {"/promises/0/buffer", "", "schedule: a promise: 'buffer' is missing"},
    {"/promises/0/buffer", "7", "schedule: a promise: 'buffer' is not a string"},
    {"/promises/0/dim", "-1", "schedule: a promise: 'dim' is not a number in range"},
    {"/promises/0/extent", "0", "schedule: a promise: 'extent' is not a number in range"},
    {"/promises/0/stride", "\"x\"", "schedule: a promise: 'stride' is not a number in range"},
    {"/promises/0/host_alignment", "0",
     "schedule: a promise: 'host_alignment' is not a number in range"},
    {"/directives", "", "schedule: 'directives' is missing"},
    {"/directives", "{}", "directives must be a list"},
    {"/directives/0", "7", "directive 1: it is not an object"},
    {"/directives/0/func", "", "directive 1: 'func' is missing"},
    {"/directives/0/call", "", "directive 1: 'call' is missing"},
    {"/directives/0/call", "\"frob\"", "directive 1: 'frob' is not a known call"},
    {"/directives/0/stage", "-1", "directive 1: 'stage' is not a stage number"},
    {"/directives/0/arguments/0", "{}", "directive 1: an argument of gpu_blocks cannot be read"},
    {"/directives/0/arguments", "[]", "directive 1: gpu_blocks does not take 0 arguments"},
    {"/directives/0/arguments/0", "7", "directive 1: argument 1 of gpu_blocks must be a loop"},
    {"/directives/0/func", "\"h\"", "directive 1, h.gpu_blocks: there is no func 'h'"},
    {"/marks", "7", "schedule: 'marks' is not a list"},
    {"/marks/1", "7", "schedule: a mark is not an object"},
    {"/marks/1/decision", "", "schedule: a mark: 'decision' is missing"},
    {"/marks/1/decision", "\"colour\"",
     "schedule: a mark: 'decision' is not a known kind of decision"},
    {"/marks/1/origin", "\"fate\"", "schedule: a mark: 'origin' is not a known origin"},
    {"/marks/1/func", "\"h\"", "schedule: a mark: 'func' is 'h', which the pipeline does not have"},
    {"/marks/1/stage", "1", "schedule: a mark: 'stage' is not a number in range"},
    {"/marks/1/axis", "5000", "schedule: a mark: 'axis' is not a number in range"},
    {"/marks/1/frozen", "7", "schedule: a mark: 'frozen' is neither true nor false"},
});

class ScheduleJsonRefuses : public ::testing::TestWithParam<Wrong> {};

TEST_P(ScheduleJsonRefuses, WithAMessage) {
  const Schedule schedule = blur();
  json document = json::parse(toJson(schedule).dump());
  const json::json_pointer member(GetParam().member);
  if (*GetParam().value)
    document[member] = json::parse(GetParam().value);
  else
    document[member.parent_pointer()].erase(member.back());
  const auto back = scheduleFromJson(schedule.base(), document);
  ASSERT_FALSE(back) << GetParam().member;
  EXPECT_EQ(back.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Members, ScheduleJsonRefuses, ::testing::ValuesIn(kWrong));

TEST(ScheduleJson, WhatIsNoObjectIsRefused) {
  for (const char *text : {"7", "[]", "null", "\"x\""}) {
    const auto back = scheduleFromJson(pipeline::test::sketch(kBlur), json::parse(text));
    ASSERT_FALSE(back) << text;
    EXPECT_EQ(back.error().message, "schedule: the document is not an object");
  }
}

} // namespace

std::vector<std::string> testing::messagesOfJson() {
  std::vector<std::string> messages;
  for (const Wrong &wrong : kWrong)
    messages.emplace_back(wrong.message);
  return messages;
}

} // namespace tessera::schedule
