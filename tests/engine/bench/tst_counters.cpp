// SPDX-License-Identifier: MIT
// The real worker on fake libraries that count (fake_range_profiler.cpp).
#include "engine/bench/counters.h"

#include "engine/bench/device/counter_metrics.h"
#include "tests/engine/bench/gpu_worker_test.h"
#include "tests/support/build_paths.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tessera::bench {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class CountersTest : public test::GpuWorkerTest {
protected:
  static GpuAnswer<CounterReport> counted(const std::string &cupti, const std::string &cuda = "") {
    GpuClient client(worker(cuda, cupti));
    return client.count({test::kBundle, "", 1}, test::kTimeout);
  }
};

// The value that the fake reports for a metric of the n-th launch.
double valueOf(const std::string &metric, int launch) {
  const CounterMetrics metrics([](const std::string &) { return true; });
  const auto found = std::ranges::find(metrics.names(), metric);
  return 1000.0 * (launch + 1) + static_cast<double>(found - metrics.names().begin());
}

TEST_F(CountersTest, EachKernelHasItsOwn) {
  const auto answer = counted("");
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  const CounterReport &report = answer.value;
  EXPECT_EQ(report.refused, "");
  EXPECT_EQ(report.chip, "FK100");
  EXPECT_EQ(report.passes, 2);
  EXPECT_THAT(report.profiler, HasSubstr("libcupti.so.13"));
  EXPECT_THAT(report.remarks, IsEmpty());
  ASSERT_EQ(report.kernels.size(), 2U);
  for (int k = 0; k < 2; ++k) {
    const KernelCounters &kernel = report.kernels[static_cast<std::size_t>(k)];
    EXPECT_EQ(kernel.name, k == 0 ? "k0_blur_x_s0" : "k1_output_s0");
    EXPECT_EQ(kernel.launches, 1);
    EXPECT_EQ(kernel.dramReadBytes, valueOf("dram__bytes_read.sum", k));
    EXPECT_EQ(kernel.l2Bytes, valueOf("lts__t_bytes.sum", k));
    EXPECT_FALSE(kernel.stalls.empty());
  }
}

TEST_F(CountersTest, WhatTheGpuDoesNotCountIsSaid) {
  const auto answer = counted("lack dram__");
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_FALSE(answer.value.kernels.at(0).dramReadBytes);
  EXPECT_TRUE(answer.value.kernels.at(0).l2Bytes);
  EXPECT_THAT(answer.value.remarks,
              Contains("FK100 does not count: bytes read from device memory"));
}

TEST_F(CountersTest, ARefusalIsAnAnswer) {
  const auto forbidden = counted("forbid");
  ASSERT_EQ(forbidden.outcome, Outcome::Ok) << forbidden.error.message;
  EXPECT_THAT(forbidden.value.refused, HasSubstr("cuptiRangeProfilerEnable"));
  EXPECT_THAT(forbidden.value.hint, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  EXPECT_THAT(forbidden.value.kernels, IsEmpty());
  const auto busy = counted("busy");
  EXPECT_THAT(busy.value.refused, HasSubstr("cuptiRangeProfilerStart"));
  EXPECT_THAT(busy.value.hint, HasSubstr("Another profiler"));
  const auto endless = counted("endless");
  EXPECT_THAT(endless.value.refused, HasSubstr("more runs after 100"));
}

TEST_F(CountersTest, AnOlderCuptiCannotCount) {
  auto options = worker("");
  // A library without CUPTI's functions takes the place of CUPTI.
  for (const auto &[from, to] : {std::pair("/libcuda.so.1", "/libcuda.so.1"),
                                 std::pair("/libnvidia-ml.so.1", "/libcupti.so.13")})
    std::filesystem::copy_file(tessera::test::testPath("fake_cuda") + from, folder() + to);
  ASSERT_EQ(options.environment.at(0).first, "LD_LIBRARY_PATH");
  options.environment[0].second = folder();
  GpuClient client(options);
  const auto answer = client.count({test::kBundle, "", 1}, test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_THAT(answer.value.refused, HasSubstr("libcupti.so.13 has no cupti"));
  EXPECT_THAT(answer.value.hint, HasSubstr("CUDA 12.8"));
}

TEST_F(CountersTest, AProcessThatCountedTakesNoTimes) {
  GpuClient client(worker(test::kRight));
  ASSERT_EQ(client.count({test::kBundle, "", 1}, test::kTimeout).outcome, Outcome::Ok);
  ASSERT_EQ(client.measure(options(), test::kTimeout).outcome, Outcome::Ok);
  EXPECT_EQ(client.starts(), 2);
}

// Without any optional part, a measurement runs the pipeline five times.
// tests/campaigns/roofline/measure_roofs lets Nsight Compute profile the last of these runs.
TEST_F(CountersTest, AMeasurementThatAsksForNothingRunsFiveTimes) {
  MeasureOptions nothing;
  nothing.bundle = test::kBundle;
  nothing.allocating = nothing.graph = nothing.useProfiler = false;
  nothing.batches = 1;
  nothing.batchSeconds = nothing.warmUpSeconds = 0;
  nothing.longSeconds = 3600;
  nothing.singles = nothing.coldSamples = nothing.tracedRuns = 0;
  const auto failingAfter = [&](int launches) {
    GpuClient client(worker("fail cuLaunchKernel 701 after " + std::to_string(launches)));
    return client.measure(nothing, test::kTimeout).outcome;
  };
  EXPECT_EQ(failingAfter(10), Outcome::Ok); // five runs of two kernels
  EXPECT_EQ(failingAfter(9), Outcome::LaunchError);
}

TEST_F(CountersTest, AKernelThatFailsEndsIt) {
  const auto answer = counted("", "fail cuCtxSynchronize 700 after 4");
  EXPECT_EQ(answer.outcome, Outcome::LaunchError);
  EXPECT_THAT(answer.error.message, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
}

TEST(Counters, AreReadAsTheyWereWritten) {
  CounterReport report;
  report.profiler = "libcupti.so.13";
  report.chip = "GH100";
  report.passes = 8;
  report.remarks = {"something"};
  KernelCounters kernel;
  kernel.name = "k0";
  kernel.launches = 3;
  kernel.dramReadBytes = 1.5;
  kernel.occupancy = 0.5;
  kernel.stalls = {{"wait", 0.25}};
  report.kernels = {kernel};
  const auto read = counterReportFromJson(json(toJson(report)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, report);
  json document = toJson(report);
  document["kernels"][0]["colour"] = 1;
  EXPECT_FALSE(counterReportFromJson(document));
}

} // namespace
} // namespace tessera::bench
