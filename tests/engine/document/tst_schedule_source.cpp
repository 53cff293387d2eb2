// SPDX-License-Identifier: MIT
// A word such as "default" or "manual", or the name of a file, stands for a schedule. These tests
// look such schedules up for the samples, with the real worker.
#include "engine/document/schedule_source.h"

#include "engine/machine/machine.h"
#include "engine/pipeline/json.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/text/cpp_text.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/schedule/text/schedule_text.h"

#include "tests/engine/host/scratch_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

namespace tessera::document {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

TEST(ScheduleWord, IsAWordOrAFile) {
  const auto sourceOf = [](std::string_view word) { return parseScheduleWord(word)->source; };
  EXPECT_EQ(sourceOf("default"), ScheduleSource::Default);
  EXPECT_EQ(sourceOf("manual"), ScheduleSource::Manual);
  EXPECT_EQ(sourceOf("a/default.json"), ScheduleSource::Json);
  EXPECT_EQ(sourceOf("blur.schedule.h"), ScheduleSource::Cpp);
  EXPECT_EQ(sourceOf("blur.h"), ScheduleSource::Cpp);
  EXPECT_EQ(parseScheduleWord("a/b.json")->path, "a/b.json");
  EXPECT_EQ(sourceOf("current"), ScheduleSource::Current);
  EXPECT_EQ(sourceOf("17"), ScheduleSource::Candidate);
  EXPECT_EQ(parseScheduleWord("17")->id, 17u);
}

TEST(ScheduleWord, AnythingElseIsAWrongUse) {
  for (const char *word :
       {"", "Default", "manual ", "blur.py", "blur.hlpipe", "17a", "-1", "peer:", "h"}) {
    const auto parsed = parseScheduleWord(word);
    ASSERT_FALSE(parsed) << word;
    EXPECT_EQ(parsed.error().code, ErrorCode::Usage);
    EXPECT_THAT(parsed.error().hint, HasSubstr("default, manual, a file that ends in .json"));
  }
  EXPECT_THAT(parseScheduleWord("peer:li2018").error().hint,
              HasSubstr("tessera-cli peers FILE -o DIR"));
}

class ScheduleSourceTest : public host::test::ScratchTest {
protected:
  ScheduleSourceTest() {
    m_tools = builtTools();
    m_trust = std::make_shared<host::TrustStore>(folder() + "/trust.json");
    m_opener = std::make_unique<open::PipelineOpener>(m_tools, m_trust);
  }

  std::string sample(const std::string &name) const { return m_tools.samples + "/" + name; }

  struct Answer {
    open::OpenedPipeline opened;
    Result<SourcedSchedule> sourced;
  };
  Answer ask(const std::string &path, const std::string &word, const std::string &size = {}) {
    open::OpenRequest request;
    request.path = path;
    request.size = size;
    auto opened = m_opener->open(request);
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    if (!opened) return {{}, opened.error()};
    auto sourced = scheduleFrom(word, request, *opened, *m_opener);
    return {std::move(*opened), std::move(sourced)};
  }

  host::ToolPaths m_tools;
  std::shared_ptr<host::TrustStore> m_trust;
  std::unique_ptr<open::PipelineOpener> m_opener;
};

TEST_F(ScheduleSourceTest, DefaultIsTheOneThatEverythingStartsFrom) {
  const Answer answer = ask(sample("harris.hlpipe"), "default");
  ASSERT_TRUE(answer.sourced) << answer.sourced.error().message;
  EXPECT_EQ(answer.sourced->schedule, schedule::defaultSchedule(answer.opened.pipeline));
  EXPECT_EQ(answer.sourced->from, "");
}

// Hand-written schedules, with rfactor and wrappers, survive all text formats.
TEST_F(ScheduleSourceTest, ManualIsBesideTheFileAndSurvivesEveryText) {
  for (const std::string name : {"blur", "hist", "harris", "local_laplacian"}) {
    const Answer manual = ask(sample(name + ".hlpipe"), "manual");
    ASSERT_TRUE(manual.sourced) << name << ": " << manual.sourced.error().message;
    const schedule::Schedule &schedule = manual.sourced->schedule;
    EXPECT_EQ(manual.sourced->from, sample(name + ".manual.hlpipe"));
    EXPECT_FALSE(manual.sourced->inOpenedFile);
    EXPECT_FALSE(schedule == schedule::defaultSchedule(manual.opened.pipeline));
    EXPECT_TRUE(schedule::isLegal(schedule, machine::Machine{})) << name;

    const std::string json = file(name + ".json", schedule::toJson(schedule).dump());
    const Answer fromJson = ask(sample(name + ".hlpipe"), json);
    ASSERT_TRUE(fromJson.sourced) << fromJson.sourced.error().message;
    EXPECT_EQ(fromJson.sourced->schedule, schedule) << name;

    const auto text = schedule::cppText(schedule::writtenForm(schedule));
    const std::string header = file(name + ".schedule.h", *text);
    const Answer fromHeader = ask(sample(name + ".hlpipe"), header);
    ASSERT_TRUE(fromHeader.sourced) << fromHeader.sourced.error().message;
    EXPECT_EQ(fromHeader.sourced->schedule, schedule) << name;
    EXPECT_EQ(fromHeader.sourced->from, header);
  }
}

// A bound that is also in the plain file belongs to the algorithm, however it is written.
TEST_F(ScheduleSourceTest, BoundsOfTheAlgorithmAreLeftAlone) {
  const Answer plain = ask(sample("iir_blur.hlpipe"), "default");
  ASSERT_TRUE(plain.sourced) << plain.sourced.error().message;
  EXPECT_FALSE(plain.opened.pipeline->foundSchedule().empty());
  EXPECT_FALSE(plain.sourced->inOpenedFile);
  const Answer manual = ask(sample("iir_blur.hlpipe"), "manual");
  ASSERT_TRUE(manual.sourced) << manual.sourced.error().message;
  EXPECT_FALSE(manual.sourced->inOpenedFile);
  for (const schedule::Directive &directive : schedule::lower(manual.sourced->schedule))
    EXPECT_NE(directive.verb, schedule::Verb::Bound);
}

TEST_F(ScheduleSourceTest, EverySampleHasAManualThatIsLegal) {
  int samples = 0;
  for (const fs::directory_entry &entry : fs::directory_iterator(m_tools.samples)) {
    const std::string name = entry.path().filename().string();
    constexpr std::string_view kManual = ".manual.hlpipe";
    if (!name.ends_with(kManual)) continue;
    if (name.starts_with("synthetic1000")) continue; // its import takes seconds
    ++samples;
    const Answer answer =
        ask(sample(name.substr(0, name.size() - kManual.size()) + ".hlpipe"), "manual");
    ASSERT_TRUE(answer.sourced) << name << ": " << answer.sourced.error().message;
    for (const auto &violation : schedule::check(answer.sourced->schedule, machine::Machine{}))
      ADD_FAILURE() << name << ": " << violation.message;
  }
  EXPECT_GE(samples, 25);
}

TEST_F(ScheduleSourceTest, ManualFollowsTheSize) {
  const Answer answer = ask(sample("harris.hlpipe"), "manual", "paper-small");
  ASSERT_TRUE(answer.sourced) << answer.sourced.error().message;
  EXPECT_EQ(answer.sourced->schedule.base(), answer.opened.pipeline);
  const pipeline::Func &output = answer.opened.pipeline->funcs().back();
  EXPECT_EQ(output.region[1].extent(), 314);
}

// A file that says how it is computed is opened without that, so that it can have another schedule.
TEST_F(ScheduleSourceTest, AFileWithItsOwnScheduleIsItsManual) {
  const Answer answer = ask(sample("harris.manual.hlpipe"), "manual");
  ASSERT_TRUE(answer.sourced) << answer.sourced.error().message;
  EXPECT_TRUE(answer.opened.isUnscheduled);
  EXPECT_FALSE(answer.sourced->inOpenedFile);
  const Answer plain = ask(sample("harris.hlpipe"), "manual");
  EXPECT_EQ(schedule::lower(answer.sourced->schedule), schedule::lower(plain.sourced->schedule));
  EXPECT_FALSE(plain.opened.isUnscheduled);

  const Answer other = ask(sample("harris.manual.hlpipe"), "default");
  ASSERT_TRUE(other.sourced) << other.sourced.error().message;
  EXPECT_EQ(schedule::lower(other.sourced->schedule),
            schedule::lower(ask(sample("harris.hlpipe"), "default").sourced->schedule));
}

TEST_F(ScheduleSourceTest, AGeneratorsOwnScheduleIsItsManual) {
  const std::string generator = tessera::test::binPath("blur.generator");
  ASSERT_TRUE(m_trust->trust(*host::fileHash(generator), generator));
  const Answer answer = ask(generator, "manual");
  ASSERT_TRUE(answer.sourced) << answer.sourced.error().message;
  EXPECT_TRUE(fs::exists(answer.opened.file.pipeline)) << "while somebody needs it";
  EXPECT_EQ(schedule::lower(answer.sourced->schedule),
            schedule::lower(ask(sample("blur.hlpipe"), "manual").sourced->schedule));
}

// It is compiled from its own file, which may say more than decisions can.
TEST_F(ScheduleSourceTest, ManualAloneIsCompiledAsItIsWritten) {
  const Answer manual = ask(sample("blur.hlpipe"), "manual");
  ASSERT_TRUE(manual.sourced) << manual.sourced.error().message;
  ASSERT_TRUE(manual.sourced->written);
  EXPECT_EQ(manual.sourced->written->pipeline, sample("blur.manual.hlpipe"));
  EXPECT_FALSE(ask(sample("blur.hlpipe"), "default").sourced->written);
}

// A schedule that the rules doubt, but which can be measured.
SourcedSchedule doubted(const pipeline::PipelinePtr &pipeline, ScheduleSource source) {
  SourcedSchedule sourced{schedule::defaultSchedule(pipeline), source};
  sourced.schedule.set(schedule::Settings{.registerCap = 1, .promises = {}});
  return sourced;
}

TEST_F(ScheduleSourceTest, AManualIsItsAuthorsAndOnlyDoubted) {
  const pipeline::PipelinePtr blur = ask(sample("blur.hlpipe"), "default").opened.pipeline;
  const auto remarks = remarksOn(doubted(blur, ScheduleSource::Manual), machine::Machine{});
  ASSERT_TRUE(remarks) << remarks.error().message;
  ASSERT_EQ(remarks->size(), 1u);
  EXPECT_THAT(remarks->front(), AllOf(HasSubstr("cannot vouch"), HasSubstr("register")));

  const auto refused = remarksOn(doubted(blur, ScheduleSource::Json), machine::Machine{});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("the schedule is not legal"));

  // Without its loops nothing can be measured.
  SourcedSchedule loopless = doubted(blur, ScheduleSource::Manual);
  const pipeline::FuncId output{static_cast<std::uint32_t>(blur->funcs().size() - 1)};
  schedule::FuncPlan plan = loopless.schedule.plan(output);
  plan.stages[0].nest.loops.clear();
  loopless.schedule.set(output, plan);
  EXPECT_FALSE(remarksOn(loopless, machine::Machine{}));
}

TEST_F(ScheduleSourceTest, WhatDecisionsCannotExpressIsListed) {
  const pipeline::PipelinePtr blur = ask(sample("blur.hlpipe"), "default").opened.pipeline;
  SourcedSchedule sourced{schedule::defaultSchedule(blur), ScheduleSource::Manual};
  EXPECT_TRUE(remarksOn(sourced, machine::Machine{})->empty());
  sourced.leftOut = {"bound(x, 0, input.extent.0)"};
  const auto remarks = remarksOn(sourced, machine::Machine{});
  ASSERT_TRUE(remarks) << remarks.error().message;
  ASSERT_EQ(remarks->size(), 1u);
  EXPECT_THAT(remarks->front(), HasSubstr("\n  bound(x, 0, input.extent.0)"));
}

TEST_F(ScheduleSourceTest, WithoutAScheduleByHandThereIsNoManual) {
  const std::string lonely = folder() + "/lonely.hlpipe";
  fs::copy_file(sample("blur.hlpipe"), lonely);
  fs::copy_file(sample("blur.estimates.json"), folder() + "/lonely.estimates.json");
  const Answer answer = ask(lonely, "manual");
  ASSERT_FALSE(answer.sourced);
  EXPECT_EQ(answer.sourced.error().code, ErrorCode::InputRefused);
  EXPECT_THAT(answer.sourced.error().message,
              AllOf(HasSubstr("lonely.hlpipe"), HasSubstr("no manual schedule"),
                    HasSubstr("lonely.manual.hlpipe")));
}

// Each wrong file has its own message.
struct Wrong {
  const char *name, *content, *message;
};
class ScheduleSourceRefuses : public ScheduleSourceTest,
                              public testing::WithParamInterface<Wrong> {};

TEST_P(ScheduleSourceRefuses, AFileThatIsNoScheduleOfIt) {
  const std::string path = file(GetParam().name, GetParam().content);
  const Answer answer = ask(sample("blur.hlpipe"), path);
  ASSERT_FALSE(answer.sourced);
  EXPECT_EQ(answer.sourced.error().code, ErrorCode::InputRefused);
  EXPECT_THAT(answer.sourced.error().message,
              AllOf(HasSubstr(path), HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    Files, ScheduleSourceRefuses,
    testing::Values(
        Wrong{"a.json", "", "it is not JSON"}, Wrong{"a.json", "{", "it is not JSON"},
        Wrong{"a.json", "[]", "a.json:1:1: expected an object, found []"},
        Wrong{"a.json", "{}", "'tessera_schedule' is missing"},
        Wrong{"a.json", R"({"tessera_schedule": 2})",
              "a.json:1:22: tessera_schedule: expected 1, found 2"},
        Wrong{"a.json", R"({"tessera_schedule": 1, "register_cap": 64})",
              "'directives' is missing"},
        Wrong{"a.json", R"({"tessera_schedule": 1, "directives": 3})",
              "a.json:1:39: directives: expected a list, found 3"},
        Wrong{"a.json", R"({"tessera_schedule": 1, "directives": []})",
              "'register_cap' is missing"},
        Wrong{"a.json",
              R"({"tessera_schedule": 1, "register_cap": 64,
                  "directives": [{"func": "nobody", "call": "compute_root"}]})",
              "there is no func 'nobody'"},
        Wrong{"a.json",
              R"({"tessera_schedule": 1, "register_cap": 64, "directives": [{"func": "blur_x"}]})",
              "'call' is missing"},
        Wrong{"a.json",
              R"({"tessera_schedule": 1, "register_cap": 64, "directives": [],
                  "promises": [{"buffer": "input"}]})",
              "'dim' is missing"},
        Wrong{"a.schedule.h", "frob", "column 5: the text ends"},
        Wrong{"a.schedule.h", "", "line 1, column 1: the text ends"}));

TEST_F(ScheduleSourceTest, AFileThatIsNotThereIsNamed) {
  const Answer answer = ask(sample("blur.hlpipe"), folder() + "/missing.json");
  ASSERT_FALSE(answer.sourced);
  EXPECT_EQ(answer.sourced.error().code, ErrorCode::InputRefused);
  EXPECT_THAT(answer.sourced.error().message, HasSubstr("missing.json"));
}

TEST_F(ScheduleSourceTest, CancelledMeansCancelled) {
  open::OpenRequest request;
  request.path = sample("harris.hlpipe");
  const auto opened = m_opener->open(request);
  ASSERT_TRUE(opened);
  std::stop_source stop;
  stop.request_stop();
  const auto sourced = scheduleFrom("manual", request, *opened, *m_opener, stop.get_token());
  ASSERT_FALSE(sourced);
  EXPECT_EQ(sourced.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace tessera::document
