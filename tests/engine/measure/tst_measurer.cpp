// SPDX-License-Identifier: MIT
// Measurer with real workers, on a fake of NVIDIA's driver (tests/engine/bench/fake_cuda.cpp).
#include "engine/measure/measurer.h"

#include "engine/document/pipeline_copy.h"
#include "engine/host/files.h"
#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/bench/fake_ssh.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

namespace tessera::measure {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string kFakes = tessera::test::testPath("fake_cuda");
const std::string kBundle = tessera::test::testPath("measured_bundle");
// Makes the fake device write the correct output.
const std::string kRight = "write \"" + kBundle + "/reference/output0.raw\" ";

class MeasurerTest : public host::test::ScratchTest {
protected:
  MeasurerTest()
      : m_tools(toolsWithRuntime()),
        m_opener(m_tools, std::make_shared<host::TrustStore>(m_tools.configDir + "/trust.json")) {
    const open::OpenRequest request{.path = m_tools.samples + "/blur.hlpipe",
                                    .estimates = {*open::parseEstimate("output=0:320,0:240")}};
    auto opened = m_opener.open(request);
    EXPECT_TRUE(opened);
    m_copy = document::copyOf(request, *opened);
    m_opened = std::move(*opened);
  }

  // The runtime that all bundles share is compiled only once, for the bundle of the reference.
  host::ToolPaths toolsWithRuntime() const {
    host::ToolPaths tools = builtTools();
    tools.cacheDir = kBundle + "/../cache/tessera";
    return tools;
  }

  std::unique_ptr<Measurer> measurer(const std::string &wishes,
                                     const std::string &libraries = kFakes,
                                     const std::string &profiler = {}) const {
    job::ProcessOptions worker;
    worker.program = m_tools.gpuWorker;
    worker.environment = {{"LD_LIBRARY_PATH", libraries}, {"TESSERA_FAKE_CUDA", wishes}};
    if (!profiler.empty()) worker.environment.emplace_back("TESSERA_FAKE_CUPTI", profiler);
    return std::make_unique<Measurer>(m_tools, worker);
  }

  MeasureRequest request() const {
    MeasureRequest request{m_opened->file, schedule::defaultSchedule(m_opened->pipeline),
                           m_copy->contentSha256};
    request.options.warmUpSeconds = 0.02;
    request.options.batchSeconds = 1e-4;
    return request;
  }

  host::ToolPaths m_tools;
  open::PipelineOpener m_opener;
  std::optional<open::OpenedPipeline> m_opened;
  std::optional<document::PipelineCopy> m_copy;
};

TEST_F(MeasurerTest, MeasuresAScheduleAndSaysOfWhat) {
  const auto gpu = measurer(kRight);
  const MeasureRequest wish = request();
  std::vector<std::string> phases;
  const auto listen = [&](const job::Progress &progress) { phases.push_back(progress.phase); };
  const MeasureAnswer answer = gpu->measure(wish, {}, listen);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_TRUE(answer.measurement.times.verified());
  EXPECT_TRUE(answer.measurement.times.backToBack.measured());
  EXPECT_EQ(answer.measurement.of.scheduleHash, wish.schedule.hash());
  EXPECT_EQ(answer.measurement.of.contentSha256, m_copy->contentSha256);
  ASSERT_EQ(answer.measurement.bundle.kernels.size(), answer.measurement.times.kernels.size());
  EXPECT_EQ(answer.measurement.bundle.librarySha256, answer.measurement.times.librarySha256);
  EXPECT_THAT(phases, Contains("compiling"));
  EXPECT_THAT(phases, Contains("computing the reference"));
  phases.clear();
  EXPECT_EQ(gpu->measure(wish, {}, listen).outcome, Outcome::Ok);
  EXPECT_THAT(phases, Not(Contains("computing the reference"))) << "it is known by now";
}

TEST_F(MeasurerTest, ANewerGpuGetsTheNewestThatPtxasKnows) {
  m_tools.ptxas = notingPtxas();
  const MeasureAnswer answer = measurer(kRight + "device 13 0")->measure(request());
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  const auto asked = host::readFile(ptxasNotes());
  ASSERT_TRUE(asked);
  EXPECT_THAT(*asked, HasSubstr("-arch=sm_121 "));
}

TEST_F(MeasurerTest, CountsWhereItIsAsked) {
  MeasureRequest wish = request();
  wish.counts = true;
  const MeasureAnswer answer = measurer(kRight)->measure(wish);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  ASSERT_TRUE(answer.measurement.counters);
  EXPECT_EQ(answer.measurement.counters->chip, "FK100");
  ASSERT_EQ(answer.measurement.counters->kernels.size(), answer.measurement.bundle.kernels.size());
  EXPECT_TRUE(answer.measurement.counters->kernels[0].occupancy);
  EXPECT_FALSE(measurer(kRight)->measure(request()).measurement.counters) << "nobody asked";
}

// Times are measured before events are counted, so they are kept if counting fails.
TEST_F(MeasurerTest, WhatCannotBeCountedHasItsTimes) {
  MeasureRequest wish = request();
  wish.counts = true;
  const MeasureAnswer refused = measurer(kRight, kFakes, "forbid")->measure(wish);
  ASSERT_EQ(refused.outcome, Outcome::Ok) << refused.error.message;
  EXPECT_TRUE(refused.measurement.times.backToBack.measured());
  ASSERT_TRUE(refused.measurement.counters);
  EXPECT_THAT(refused.measurement.counters->refused, HasSubstr("cuptiRange"));
  EXPECT_TRUE(refused.measurement.counters->kernels.empty());
}

TEST_F(MeasurerTest, WrongOutputsHaveNoTime) {
  const MeasureAnswer answer = measurer("")->measure(request());
  EXPECT_EQ(answer.outcome, Outcome::WrongOutput);
  EXPECT_THAT(answer.error.message, HasSubstr("'output' is wrong"));
}

TEST_F(MeasurerTest, AWorkerThatDiesIsReplaced) {
  const auto gpu = measurer(kRight + "die cuLaunchKernel");
  EXPECT_EQ(gpu->measure(request()).outcome, Outcome::Crashed);
  EXPECT_EQ(gpu->describe().outcome, Outcome::Ok);
}

TEST_F(MeasurerTest, AKernelThatNeverEndsIsEnded) {
  MeasureRequest wish = request();
  wish.timeout = std::chrono::seconds(1);
  EXPECT_EQ(measurer("hang cuCtxSynchronize")->measure(wish).outcome, Outcome::RunTimeout);
}

TEST_F(MeasurerTest, SaysWhereThereIsNoDriver) {
  file("libcuda.so.1", "no library");
  const auto device = measurer("", folder())->describe();
  EXPECT_EQ(device.outcome, Outcome::DeviceLost);
  EXPECT_THAT(device.error.message, HasSubstr("NVIDIA's driver was not found"));
}

TEST_F(MeasurerTest, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(measurer(kRight)->measure(request(), stop.get_token()).outcome, Outcome::Cancelled);
}

// Uses an ssh that stays on this machine. The GPU is the fake one, with the wishes of the
// environment.
class MeasurerElsewhereTest : public MeasurerTest {
protected:
  MeasurerElsewhereTest() {
    ::setenv("LD_LIBRARY_PATH", kFakes.c_str(), 1);
    wish(kRight);
    m_tools.ssh = bench::test::FakeSsh::program();
  }
  ~MeasurerElsewhereTest() override {
    ::unsetenv("LD_LIBRARY_PATH");
    ::unsetenv("TESSERA_FAKE_CUDA");
  }

  static void wish(const std::string &wishes) { ::setenv("TESSERA_FAKE_CUDA", wishes.c_str(), 1); }

  bench::test::FakeSsh m_ssh{folder()};
};

TEST_F(MeasurerElsewhereTest, MeasuresThereAndCopiesOnce) {
  Measurer gpu(m_tools, "me@gpu");
  std::vector<std::string> phases;
  const auto listen = [&](const job::Progress &progress) { phases.push_back(progress.phase); };
  const MeasureAnswer answer = gpu.measure(request(), {}, listen);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_TRUE(answer.measurement.times.verified());
  EXPECT_EQ(answer.measurement.times.machine, "Fake GPU");
  EXPECT_THAT(phases, Contains("connecting to me@gpu"));
  EXPECT_THAT(phases, Contains("copying tessera-gpu to me@gpu"));
  EXPECT_TRUE(std::filesystem::exists(m_ssh.there() + "/.cache/tessera/gpu"));
  phases.clear();
  EXPECT_EQ(gpu.measure(request(), {}, listen).outcome, Outcome::Ok);
  EXPECT_THAT(phases, Not(Contains("connecting to me@gpu"))) << "it is connected";
  EXPECT_EQ(Measurer(m_tools, "me@gpu").describe().value.name, "Fake GPU");
}

// A disk that takes no bundle is not a lost connection, and not the schedule's fault.
TEST_F(MeasurerElsewhereTest, ABundleThatCannotBeKeptThereKeepsTheConnection) {
  namespace fs = std::filesystem;
  Measurer gpu(m_tools, "me@gpu");
  ASSERT_EQ(gpu.measure(request()).outcome, Outcome::Ok);
  std::vector<fs::path> bundles;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(m_ssh.there() + "/.cache/tessera/gpu"))
    if (entry.is_directory()) bundles.push_back(entry.path());
  ASSERT_FALSE(bundles.empty());
  for (const fs::path &bundle : bundles) {
    fs::remove_all(bundle);
    ASSERT_TRUE(host::writeFile(bundle.string(), "where the bundle would be"));
  }
  std::vector<std::string> phases;
  const auto listen = [&](const job::Progress &progress) { phases.push_back(progress.phase); };
  const MeasureAnswer refused = gpu.measure(request(), {}, listen);
  EXPECT_EQ(refused.outcome, Outcome::ProtocolError);
  EXPECT_THAT(refused.error.message, HasSubstr("bundle-"));
  for (const fs::path &bundle : bundles)
    fs::remove(bundle);
  EXPECT_EQ(gpu.measure(request(), {}, listen).outcome, Outcome::Ok);
  EXPECT_THAT(phases, Not(Contains("connecting to me@gpu"))) << "it was never lost";
}

TEST_F(MeasurerElsewhereTest, SaysWhoCannotBeReached) {
  const MeasureAnswer answer = Measurer(m_tools, "nowhere").measure(request());
  EXPECT_EQ(answer.outcome, Outcome::ConnectionLost);
  EXPECT_THAT(answer.error.message, HasSubstr("Cannot reach nowhere"));
  EXPECT_THAT(answer.error.hint, HasSubstr("must log in without a prompt"));
  EXPECT_THAT(Measurer(m_tools, "-oProxyCommand=x").describe().error.message,
              HasSubstr("is not a host"));
  m_tools.ssh.clear();
  EXPECT_THAT(Measurer(m_tools, "me@gpu").describe().error.message,
              HasSubstr("ssh is not installed"));
}

TEST_F(MeasurerElsewhereTest, ALostConnectionIsMadeAnew) {
  m_ssh.wish("DROPS", "1");
  wish(kRight + "die cuLaunchKernel");
  Measurer gpu(m_tools, "me@gpu");
  const MeasureAnswer lost = gpu.measure(request());
  EXPECT_EQ(lost.outcome, Outcome::ConnectionLost);
  EXPECT_THAT(lost.error.message, HasSubstr("me@gpu"));
  wish(kRight);
  EXPECT_EQ(gpu.measure(request()).outcome, Outcome::Ok);
}

TEST_F(MeasurerElsewhereTest, StopsWhileItConnects) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(Measurer(m_tools, "me@gpu").measure(request(), stop.get_token()).outcome,
            Outcome::Cancelled);
}

// Without a GPU, the schedule is verified with OpenCL or on the CPU.
TEST_F(MeasurerTest, VerifiesWithoutAGpu) {
  ScheduleCompiler compiler(m_tools, 1);
  VerifyRequest wish;
  wish.pipeline = scheduledPipeline(m_opened->file, request().schedule);
  wish.small = true;
  const VerifiedHere verified = verifyHere(compiler, wish);
  ASSERT_EQ(verified.answer.outcome, Outcome::Ok) << verified.answer.error.message;
  EXPECT_TRUE(verified.answer.report.equal());
  EXPECT_EQ(verified.api == GpuApi::Host, !verified.answer.report.remarks.empty());
}

} // namespace
} // namespace tessera::measure
