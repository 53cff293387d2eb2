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

constexpr std::string_view kWritten = "input in 66 66\n"
                                      "func f(x y) 66 64 = in(x; y+[0,2])\n"
                                      "func g(x y) 64 64 = f(x+[0,2]; y)\n"
                                      "output g\n";

Schedule written() {
  Schedule schedule = scheduled(kWritten, "f compute_at g:x | store_in shared\ng gpu_blocks x y");
  schedule.set(Settings{
      128,
      {{.buffer = "in", .dim = 1, .min = 0, .extent = 66, .stride = 66, .hostAlignment = 16}}});
  schedule.setMark({{}, 0, DecisionKind::RegisterCap, 0}, {Origin::Imported, false});
  schedule.setMark({FuncId{1}, 0, DecisionKind::Factors, 1}, {Origin::User, true});
  return schedule;
}

TEST(ScheduleJson, IsADocument) {
  EXPECT_EQ(toJson(written()).dump(2), R"({
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
  const Schedule schedule = written();
  const auto back = scheduleFromJson(schedule.base(), json::parse(toJson(schedule).dump()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, schedule);
  EXPECT_EQ(back->settings(), schedule.settings());
  EXPECT_EQ(back->marks(), schedule.marks());
}

TEST(ScheduleJson, EmptyListsAreLeftOut) {
  const auto document = toJson(scheduled(kWritten, "f compute_root"));
  EXPECT_FALSE(document.contains("promises"));
  EXPECT_FALSE(document.contains("marks"));
}

TEST(ScheduleJson, MarksOfAddedStagesAreRead) {
  Schedule schedule = scheduled(kWritten, "f in g -> copy\ncopy compute_root");
  const DecisionKey key{testing::funcOf(schedule, "copy"), 0, DecisionKind::Compute, 0};
  schedule.setMark(key, {Origin::User, true});
  const auto back = scheduleFromJson(schedule.base(), json::parse(toJson(schedule).dump()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->mark(key), (Mark{Origin::User, true}));
}

// --- refusals: each is a document in which one member was changed

struct WrongJson {
  const char *member; // a JSON pointer into the document
  const char *value;  // JSON text; empty to remove the member
  const char *message;
};

constexpr auto kWrongJson = std::to_array<WrongJson>({
    {"/tessera_schedule", "", "it is not a Tessera schedule: 'tessera_schedule' is missing"},
    {"/tessera_schedule", "2", "tessera_schedule: expected 1, found 2"},
    {"/register_cap", "", "'register_cap' is missing"},
    {"/register_cap", "0", "register_cap: expected a whole number from 1 to 255, found 0"},
    {"/register_cap", "1e3", "register_cap: expected a whole number from 1 to 255, found 1000.0"},
    {"/register_cap", "18446744073709551615",
     "register_cap: expected a whole number from 1 to 255, found 18446744073709551615"},
    {"/promises", "{}", "promises: expected a list, found {}"},
    {"/promises/0", "7", "promises[0]: expected an object, found 7"},
    {"/promises/0/buffer", "", "promises[0]: 'buffer' is missing"},
    {"/promises/0/buffer", "7", "promises[0].buffer: expected a word in quotes, found 7"},
    {"/promises/0/dim", "-1", "promises[0].dim: expected a whole number from 0 to 15, found -1"},
    {"/promises/0/extent", "0",
     "promises[0].extent: expected a whole number from 1 to 2147483647, found 0"},
    {"/promises/0/stride", "\"x\"",
     "promises[0].stride: expected a whole number from -2147483648 to 2147483647, found \"x\""},
    {"/promises/0/host_alignment", "0",
     "promises[0].host_alignment: expected a whole number from 1 to 4096, found 0"},
    {"/directives", "", "'directives' is missing"},
    {"/directives", "{}", "directives: expected a list, found {}"},
    {"/directives/0", "7", "directives[0]: expected an object, found 7"},
    {"/directives/0/func", "", "directives[0]: 'func' is missing"},
    {"/directives/0/func", "7", "directives[0].func: expected a name in quotes, found 7"},
    {"/directives/0/call", "", "directives[0]: 'call' is missing"},
    {"/directives/0/call", "\"frob\"", "directives[0].call: 'frob' is not a known call"},
    {"/directives/0/stage", "-1", "directives[0].stage: expected a stage number, found -1"},
    {"/directives/0/makes", "7", "directives[0].makes: expected a name in quotes, found 7"},
    {"/directives/0/arguments", "7", "directives[0].arguments: expected a list, found 7"},
    {"/directives/0/arguments/0", "{}",
     "directives[0].arguments[0]: expected a loop, such as {\"loop\":\"x\"}, found {}"},
    {"/directives/0/arguments", "[]", "directives[0]: gpu_blocks does not take 0 arguments"},
    {"/directives/0/arguments/0", "7",
     "directives[0].arguments[0]: expected a loop, such as {\"loop\":\"x\"}, found 7"},
    {"/directives/0/func", "\"h\"", "directives[0]: h.gpu_blocks: there is no func 'h'"},
    {"/marks", "7", "marks: expected a list, found 7"},
    {"/marks/1", "7", "marks[1]: expected an object, found 7"},
    {"/marks/1/decision", "", "marks[1]: 'decision' is missing"},
    {"/marks/1/decision", "\"colour\"",
     "marks[1].decision: expected a known kind of decision, found \"colour\""},
    {"/marks/1/origin", "\"fate\"", "marks[1].origin: expected a known origin, found \"fate\""},
    {"/marks/1/func", "\"h\"", "marks[1].func: expected a func of the pipeline, found \"h\""},
    {"/marks/1/stage", "1", "marks[1].stage: expected 0, found 1"},
    {"/marks/1/axis", "5000", "marks[1].axis: expected a whole number from 0 to 4096, found 5000"},
    {"/marks/1/frozen", "7", "marks[1].frozen: expected true or false, found 7"},
});

class ScheduleJsonRefuses : public ::testing::TestWithParam<WrongJson> {};

TEST_P(ScheduleJsonRefuses, WithAMessage) {
  const Schedule schedule = written();
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

INSTANTIATE_TEST_SUITE_P(Members, ScheduleJsonRefuses, ::testing::ValuesIn(kWrongJson));

// A text as people edit it, with one part replaced.
std::string messageFor(const std::string &part, const std::string &by) {
  std::string text = R"({
  "tessera_schedule": 1, "register_cap": 64,
  "directives": [
    {"func": "g", "call": "gpu_blocks", "arguments": [{"loop": "x"}]},
    {"func": "f", "call": "split",
     "arguments": [{"loop": "x"}, {"loop": "xo"}, {"loop": "xi"}, 8, {"tail": "auto"}]}
  ]
})";
  text.replace(text.find(part), part.size(), by);
  const auto read = scheduleFromJsonText(written().base(), text);
  return read ? "read" : read.error().message;
}

TEST(ScheduleJson, ATextSaysTheLineAndTheColumn) {
  EXPECT_EQ(messageFor("64", "\"x\""),
            "2:42: register_cap: expected a whole number from 1 to 255, found \"x\"");
  EXPECT_EQ(messageFor("8", "\"x\""),
            "6:67: directives[1].arguments[3]: expected a number, found \"x\"");
  EXPECT_EQ(messageFor("\"auto\"", "\"best\""),
            "6:70: directives[1].arguments[4]: expected a tail, such as "
            "{\"tail\":\"guard_with_if\"}, found {\"tail\":\"best\"}");
  EXPECT_EQ(messageFor(", \"call\": \"gpu_blocks\"", ""), "4:5: directives[0]: 'call' is missing");
  EXPECT_EQ(
      messageFor("{\"loop\": \"xi\"}", "{\"loop\": \"xi\""),
      "6:66: it is not JSON: syntax error while parsing object key - unexpected number literal; "
      "expected string literal");
  EXPECT_EQ(messageFor("\"f\"", "\"nobody\""),
            "5:5: directives[1]: nobody.split: there is no func 'nobody'");
}

TEST(ScheduleJson, WhatIsNoObjectIsRefused) {
  for (const char *text : {"7", "[]", "null", "\"x\""}) {
    const auto back = scheduleFromJson(pipeline::test::sketch(kWritten), json::parse(text));
    ASSERT_FALSE(back) << text;
    EXPECT_EQ(back.error().message, std::string("expected an object, found ") + text);
  }
}

} // namespace

std::vector<std::string> testing::messagesOfJson() {
  std::vector<std::string> messages;
  for (const WrongJson &wrong : kWrongJson)
    messages.emplace_back(wrong.message);
  return messages;
}

} // namespace tessera::schedule
