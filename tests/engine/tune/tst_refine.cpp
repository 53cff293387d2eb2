// SPDX-License-Identifier: MIT
// Candidates compiled with the real worker and ranked by what ptxas says.
#include "engine/tune/refine.h"

#include "engine/cost/prediction.h"
#include "engine/host/machines.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/text/schedule_json.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/support/build_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <optional>

namespace tessera::tune {
namespace {

class RefineTest : public host::test::ScratchTest {
protected:
  RefineTest() {
    open::PipelineOpener opener(tools, std::make_shared<host::TrustStore>(""));
    const auto opened = opener.open({tools.samples + "/blur.hlpipe"});
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    if (opened) start = schedule::defaultSchedule(opened->pipeline);
    pipeline.file = tools.samples + "/blur.hlpipe";
  }

  Result<Refined> refined(const machine::Machine &machine, std::size_t most,
                          const learn::Correction *correction = nullptr) {
    measure::ScheduleCompiler compiler(tools, 1);
    const search::Candidate candidate{*start, cost::predict(*start, machine).seconds};
    return refine(std::vector{candidate, candidate}, most, machine, pipeline, compiler, folder(),
                  {}, {}, correction);
  }

  const host::ToolPaths tools = builtTools();
  std::optional<schedule::Schedule> start;
  measure::ScheduledPipeline pipeline;
};

TEST_F(RefineTest, CompilesEachOnceAndTheBestUnderOtherCaps) {
  const machine::Machine h200 = *machineFor("h200", tools);
  const search::Candidate candidate{*start, cost::predict(*start, h200).seconds};
  // The two equal candidates give three compilations, with register caps of 64, 96 and 128.
  EXPECT_EQ(worthCompiling(std::vector{candidate, candidate}, 10, h200).size(), 3U);
  const auto result = refined(h200, 1);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->failures.empty());
  // The time of the result uses the register count of the compiled kernel, which is small.
  EXPECT_GT(result->best.seconds, 0);
  EXPECT_NE(result->best.seconds, cost::predict(*start, h200).seconds);
}

// For this schedule of bgu, ptxas emits code that computes a wrong address.
TEST_F(RefineTest, ChoosesNothingThatPtxasGetsWrong) {
  pipeline.file = tools.samples + "/bgu.hlpipe";
  open::PipelineOpener opener(tools, std::make_shared<host::TrustStore>(""));
  const auto opened = opener.open({pipeline.file});
  ASSERT_TRUE(opened) << opened.error().message;
  std::ifstream file(tessera::test::sourcePath("tests/data/wrong_product.json"));
  const auto wrong = schedule::scheduleFromJson(opened->pipeline, nlohmann::json::parse(file));
  ASSERT_TRUE(wrong) << wrong.error().message;
  start = *wrong;
  const auto result = refined(*machineFor("h200", tools), 1);
  ASSERT_FALSE(result) << "the only one that was compiled";
  EXPECT_EQ(result.error().message, "ptxas computes an address of k3_blur_x_s0 wrongly");
}

TEST_F(RefineTest, CompilesNoMoreThanAsked) {
  const auto result = refined(*machineFor("h200", tools), 1);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->compiled, 1U);
  EXPECT_EQ(result->best.schedule, *start);
}

TEST_F(RefineTest, ACorrectionIsApplied) {
  const machine::Machine h200 = *machineFor("h200", tools);
  learn::Correction twice;
  twice.judges.emplace_back(1.0F, std::vector<learn::BoostedTrees::Tree>());
  const auto plain = refined(h200, 1), corrected = refined(h200, 1, &twice);
  ASSERT_TRUE(plain && corrected);
  EXPECT_GT(corrected->best.seconds, 1.5 * plain->best.seconds);
  EXPECT_LE(corrected->best.seconds, 2 * plain->best.seconds);
}

// The search starts from the default schedule, whose kernels can easily be improved.
TEST_F(RefineTest, GoesOnWithOtherWaysToWriteTheKernels) {
  const machine::Machine h200 = *machineFor("h200", tools);
  const auto given = refined(h200, 1), more = refined(h200, 8);
  ASSERT_TRUE(given && more);
  EXPECT_EQ(more->compiled + more->failures.size(), 8U);
  EXPECT_LT(more->best.seconds, given->best.seconds / 2);
  const auto again = refined(h200, 8);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->best.schedule, more->best.schedule);
}

// The PTX is made for a compute capability that the machine supports. If ptxas is too new for that
// capability, the PTX is assembled for the oldest one that ptxas knows.
TEST_F(RefineTest, CompilesForOlderMachines) {
  for (const char *name : {"gtx-1080-ti", "v100", "rtx-2080-ti", "a100"}) {
    const auto result = refined(*machineFor(name, tools), 1);
    EXPECT_TRUE(result) << name << ": " << result.error().message;
  }
}

TEST_F(RefineTest, SaysWhyNothingCanBeCompiled) {
  const auto opencl = refined(*machineFor("opencl", tools), 1);
  ASSERT_FALSE(opencl);
  EXPECT_EQ(opencl.error().message, "Any OpenCL GPU is not a machine that ptxas compiles for");
  pipeline.file += ".gone";
  EXPECT_FALSE(refined(*machineFor("h200", tools), 1));
}

} // namespace
} // namespace tessera::tune
