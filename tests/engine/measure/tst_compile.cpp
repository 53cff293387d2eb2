// SPDX-License-Identifier: MIT
// Schedules compiled and verified through ScheduleCompiler, with the real worker.
#include "engine/measure/compile.h"

#include "engine/host/trust.h"
#include "engine/open/open.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/engine/schedule/sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

namespace tessera::measure {
namespace {

using testing::HasSubstr;

class CompileTest : public host::test::ScratchTest {
protected:
  CompileTest() {
    m_tools = builtTools();
    m_compiler = std::make_unique<ScheduleCompiler>(m_tools, 1);
  }

  ScheduledPipeline blur(std::string_view lines) const {
    ScheduledPipeline pipeline;
    pipeline.file = m_tools.samples + "/blur.hlpipe";
    pipeline.directives = schedule::sketch(lines);
    return pipeline;
  }

  host::ToolPaths m_tools;
  std::unique_ptr<ScheduleCompiler> m_compiler;
};

// In hist, a vector adds up the histogram, and its lanes overwrite one another.
constexpr std::string_view kHistRace =
    "histogram compute_root\nhistogram.1 reorder ~rows$x b\n"
    "row_histogram compute_root\nbelow compute_root\n"
    "row_histogram.1 allow_race_conditions | split ~columns$x ~co ~ci 8 auto | vectorize ~ci";
constexpr std::string_view kTiles =
    "output split x xo xi 32 auto | split y yo yi 8 auto | reorder xi yi xo yo"
    " | gpu_blocks xo yo | gpu_threads xi yi";

TEST_F(CompileTest, ABundleAndItsReport) {
  CompileRequest request;
  request.pipeline = blur(kTiles);
  request.pipeline.estimates = {*open::parseEstimate("output=0:640,0:480")};
  request.output = folder() + "/bundle";
  request.wantLowered = true;
  const CompileAnswer answer = m_compiler->compile(request);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  ASSERT_EQ(answer.report.kernels.size(), 1U);
  EXPECT_EQ(answer.report.kernels[0].blocks, (std::array<std::int64_t, 3>{20, 60, 1}));
  EXPECT_EQ(answer.report.directives, request.pipeline.directives);
  for (const std::string &file : {answer.report.files.library, answer.report.files.device,
                                  answer.report.files.lowered, std::string("bundle.json")})
    EXPECT_TRUE(std::filesystem::exists(request.output + "/" + file)) << file;
  EXPECT_TRUE(std::filesystem::exists(m_tools.cacheDir + "/runtime")) << "for the next bundle";
}

TEST_F(CompileTest, ALaunchIsJudgedByTheGpuThatItIsFor) {
  CompileRequest request;
  request.pipeline = blur(kTiles);
  request.output = folder() + "/bundle";
  const auto isRefused = [&](const std::string &why) {
    const CompileAnswer answer = m_compiler->compile(request);
    EXPECT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
    return std::ranges::any_of(answer.report.remarks, [&](const std::string &remark) {
      return remark.find(why) != std::string::npos;
    });
  };
  EXPECT_FALSE(isRefused("threads in a block"));
  request.gpu.limits.threadsPerBlock = 128;
  EXPECT_TRUE(isRefused(
      "256 threads in a block, more than the limit of 128: the chosen GPU cannot run it"));
}

// A bundle for a sanitizer is small. It is just wider than one tile, so that it has several tiles.
TEST_F(CompileTest, ASmallBundleIsAsNarrowAsItsTilesAllow) {
  const auto sizeWith = [&](const char *tile) {
    CompileRequest request;
    request.pipeline = blur("output split x xo xi " + std::string(tile) +
                            " guard_with_if | gpu_blocks xo | gpu_threads xi");
    request.output = folder() + "/bundle" + tile;
    request.small = true;
    const CompileAnswer answer = m_compiler->compile(request);
    EXPECT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
    return answer.report.arguments.back().region;
  };
  const auto sizes = [](const pipeline::Box &dims) {
    return std::pair(dims.at(0).extent(), dims.at(1).extent());
  };
  EXPECT_EQ(sizes(sizeWith("16")), std::pair(19L, 13L));
  EXPECT_EQ(sizes(sizeWith("32")), std::pair(35L, 23L));
  EXPECT_EQ(sizes(sizeWith("64")), std::pair(67L, 45L));
}

// The promise is about where the output begins. It leaves the size free, but in this pipeline the
// size must be even.
TEST_F(CompileTest, APromiseOfEvenSizesIsKeptWhereItIsSmall) {
  CompileRequest request;
  request.pipeline.file = m_tools.samples + "/camera_pipe.hlpipe";
  const auto opened = open::PipelineOpener(m_tools, std::make_shared<host::TrustStore>(""))
                          .open({.path = request.pipeline.file});
  ASSERT_TRUE(opened);
  request.pipeline.directives = schedule::lower(schedule::defaultSchedule(opened->pipeline));
  request.output = folder() + "/bundle";
  request.small = true;
  const CompileAnswer answer = m_compiler->compile(request);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  const pipeline::Box &output = answer.report.arguments.back().region;
  EXPECT_EQ(output.at(0).extent(), 34); // 34 instead of 35, which is odd
  EXPECT_EQ(output.at(1).extent(), 22);
  EXPECT_EQ(output.at(2).extent(), 3);
}

// The missing ptxas is reported once, and the rest of the bundle is complete.
TEST_F(CompileTest, WithoutPtxasTheRestWorks) {
  host::ToolPaths bare = m_tools;
  bare.ptxas = bare.disassembler = "";
  ScheduleCompiler compiler(bare, 1);
  CompileRequest request;
  request.pipeline = blur(kTiles);
  request.output = folder() + "/bundle";
  request.wantSass = true;
  for (int i = 0; i < 2; ++i) {
    const CompileAnswer answer = compiler.compile(request);
    ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
    EXPECT_THAT(answer.report.remarks, testing::ElementsAre(HasSubstr("ptxas was not found")));
    ASSERT_EQ(answer.report.kernels.size(), 1U);
    EXPECT_FALSE(answer.report.kernels[0].assembler);
    EXPECT_GT(answer.report.kernels[0].lineCount, 10U) << "of PTX";
    EXPECT_TRUE(std::filesystem::exists(request.output + "/" + answer.report.files.library));
  }
}

TEST_F(CompileTest, ARefusalIsTheSchedulesFault) {
  CompileRequest request;
  request.pipeline = blur("output unroll q");
  request.output = folder() + "/bundle";
  const CompileAnswer answer = m_compiler->compile(request);
  EXPECT_EQ(answer.outcome, Outcome::CompileError);
  EXPECT_THAT(answer.error.message, HasSubstr("directive 1, output.unroll"));
  EXPECT_FALSE(std::filesystem::exists(request.output));
}

// The compiler refuses a launch that no GPU allows and names the number that is too large, before a
// driver would.
TEST_F(CompileTest, SaysWhatNoGpuLaunches) {
  const auto compiled = [&](std::string_view lines) {
    CompileRequest request;
    request.pipeline = blur(lines);
    request.pipeline.estimates = {*open::parseEstimate("output=0:2560,0:1536")};
    request.output = folder() + "/bundle";
    return m_compiler->compile(request);
  };
  const CompileAnswer threads =
      compiled("output split x xo xi 2048 auto | gpu_blocks xo y | gpu_threads xi");
  EXPECT_THAT(threads.report.remarks,
              testing::Contains(HasSubstr("2048 threads in a block, more than the limit of 1024")));
  const CompileAnswer shared =
      compiled("output split x xo xi 256 auto | split y yo yi 128 auto | reorder yi xi xo yo"
               " | gpu_blocks xo yo | gpu_threads xi\n"
               "blur_x compute_at output:xo | gpu_threads x");
  EXPECT_THAT(shared.report.remarks,
              testing::Contains(HasSubstr(
                  "bytes of shared memory in a block, but Halide may ask for at most 49152")));
}

TEST_F(CompileTest, TheDeadlineKillsAndTheNextRequestIsServed) {
  CompileRequest request;
  request.pipeline = blur(kTiles);
  request.output = folder() + "/bundle";
  request.timeout = std::chrono::milliseconds(1);
  EXPECT_EQ(m_compiler->compile(request).outcome, Outcome::CompileTimeout);
  request.timeout = std::chrono::minutes(1);
  EXPECT_EQ(m_compiler->compile(request).outcome, Outcome::Ok);
}

TEST_F(CompileTest, AStopRequestCancelsTheWork) {
  std::stop_source stop;
  CompileRequest request;
  request.pipeline = blur(kTiles);
  request.output = folder() + "/out/bundle";
  std::filesystem::create_directory(folder() + "/out");
  const CompileAnswer answer =
      m_compiler->compile(request, stop.get_token(), [&](const job::Progress &progress) {
        if (progress.phase == "lowering") stop.request_stop();
      });
  EXPECT_EQ(answer.outcome, Outcome::Cancelled);
  EXPECT_TRUE(std::filesystem::is_empty(folder() + "/out")) << "not even what was half done";
}

TEST_F(CompileTest, EqualAndWrongAreOutcomes) {
  VerifyRequest request;
  request.target = GpuApi::Host;
  request.small = true;
  request.pipeline = blur("blur_x compute_root");
  const VerifyAnswer right = m_compiler->verify(request);
  EXPECT_EQ(right.outcome, Outcome::Ok) << right.error.message;
  ASSERT_EQ(right.report.outputs.size(), 1U);
  EXPECT_EQ(right.report.outputs[0].elements, 67 * 45);

  request.pipeline.file = m_tools.samples + "/hist.hlpipe";
  request.pipeline.directives = schedule::sketch(kHistRace);
  const VerifyAnswer wrong = m_compiler->verify(request);
  EXPECT_EQ(wrong.outcome, Outcome::WrongOutput) << wrong.error.message;
  EXPECT_FALSE(wrong.report.equal());
}

// When the reference runs again with other rounding, all of Halide's threads have that rounding
// mode, not only one. Otherwise the undecided elements would differ from run to run.
TEST_F(CompileTest, WhatRoundingDecidesIsTheSameEachTime) {
  VerifyRequest request;
  request.target = GpuApi::Host;
  request.pipeline.file = m_tools.samples + "/hist.hlpipe";
  request.pipeline.directives = schedule::sketch(kHistRace);
  const VerifyAnswer first = m_compiler->verify(request), second = m_compiler->verify(request);
  ASSERT_EQ(first.outcome, Outcome::WrongOutput) << first.error.message;
  EXPECT_GT(first.report.outputs[0].undecided, 0);
  EXPECT_EQ(first.report, second.report);
}

TEST(CompilersHere, LeaveRoomForOthers) {
  const std::size_t cores = std::thread::hardware_concurrency();
  EXPECT_GE(compilersHere(), 2U);
  EXPECT_LE(compilersHere(), std::max<std::size_t>(2, cores / 2));
  EXPECT_LE(compilersHere(), 16U);
}

TEST_F(CompileTest, AFileThatIsNoneIsRefused) {
  VerifyRequest request;
  request.pipeline.file = file("damaged.hlpipe", "no pipeline");
  const VerifyAnswer answer = m_compiler->verify(request);
  EXPECT_EQ(answer.outcome, Outcome::CompileError);
  EXPECT_THAT(answer.error.message, HasSubstr("damaged.hlpipe"));
}

} // namespace
} // namespace tessera::measure
