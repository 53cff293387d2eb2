// SPDX-License-Identifier: MIT
// Measurements that succeed: the real worker and a real bundle on fakes of NVIDIA's libraries.
#include "engine/base/sha256.h"
#include "tests/engine/bench/gpu_worker_test.h"

#include <nlohmann/json.hpp>

#include <span>

namespace tessera::bench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class GpuClientTest : public test::GpuWorkerTest {};

TEST_F(GpuClientTest, DescribesTheGpu) {
  GpuClient client(worker(""));
  const auto answer = client.describe(test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  const DeviceDescription &gpu = answer.value;
  EXPECT_EQ(gpu.name, "Fake GPU");
  EXPECT_EQ(gpu.uuid, "GPU-abababab-abab-abab-abab-abababababab");
  EXPECT_EQ(gpu.driver, "999.01");
  EXPECT_EQ(gpu.cudaVersion, "13.0");
  EXPECT_EQ(gpu.major, 9);
  EXPECT_EQ(gpu.values.at("multiprocessors"), 7);
  EXPECT_EQ(gpu.values.at("l2_bytes"), 1 << 20);
  EXPECT_EQ(gpu.values.at("clock_hz"), 1.98e9); // NVML's value; the driver reports 1.5 GHz
  EXPECT_EQ(gpu.memoryClockHz, 3.201e9);
  EXPECT_THAT(gpu.profiler, HasSubstr("libcupti.so.13"));
  EXPECT_THAT(gpu.absent, Contains("sm_threads: the driver does not report it"));
}

TEST_F(GpuClientTest, SaysWhatIsAbsent) {
  GpuClient client(worker("", "", "absent"));
  const auto answer = client.describe(test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_EQ(answer.value.driver, "");
  EXPECT_EQ(answer.value.values.at("clock_hz"), 1.5e9); // the driver's value
  EXPECT_THAT(answer.value.absent, Contains(HasSubstr("nvmlInit: as the test wished")));
}

TEST_F(GpuClientTest, MeasuresABundle) {
  GpuClient client(worker(test::kRight));
  const auto answer = client.measure(options(), test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  const Measurement &m = answer.value;
  EXPECT_TRUE(m.verified());
  EXPECT_EQ(m.machine, "Fake GPU");
  EXPECT_EQ(m.driver, "999.01");
  EXPECT_EQ(m.pipeline, "blur");
  EXPECT_EQ(m.registerCap, 64);
  EXPECT_FALSE(m.program.empty());
  EXPECT_EQ(m.backToBack.samples, 11);
  EXPECT_GT(m.backToBack.median, 0);
  EXPECT_LE(m.backToBack.lower, m.backToBack.median);
  EXPECT_LE(m.backToBack.median, m.backToBack.upper);
  EXPECT_EQ(m.single.samples, 21);
  EXPECT_EQ(m.allocations, 1); // the buffer of blur_x
  EXPECT_GT(m.firstSeconds, 0);
  // A launch takes 20 µs of the fake device's clock, and a run has two launches.
  EXPECT_NEAR(m.coldCache.median, 40e-6, 1e-9);
  EXPECT_EQ(m.before.multiprocessorMhz, 1700);
  EXPECT_EQ(m.before.memoryMhz, 2600);
  EXPECT_EQ(m.before.watts, 123);
  EXPECT_THAT(m.before.throttled, ElementsAre("power limit"));
}

TEST_F(GpuClientTest, KernelsHaveTimesOfTheirOwn) {
  GpuClient client(worker(test::kRight));
  const auto answer = client.measure(options(), test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_EQ(answer.value.kernelClock, KernelClock::Cupti);
  ASSERT_EQ(answer.value.kernels.size(), 2U);
  EXPECT_EQ(answer.value.kernels[0].name, "k0_blur_x_s0");
  EXPECT_EQ(answer.value.kernels[1].name, "k1_output_s0");
  for (const KernelTime &kernel : answer.value.kernels) {
    EXPECT_EQ(kernel.launches, 1);
    EXPECT_NEAR(kernel.seconds.median, 20e-6, 1e-9);
    EXPECT_EQ(kernel.seconds.samples, 7);
    EXPECT_EQ(kernel.registers, 24);
  }
}

TEST_F(GpuClientTest, AHashTellsTheOutputs) {
  GpuClient client(worker(test::kRight));
  const auto answer = client.measure(options(), test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  const auto content = host::readFile(test::kReference + "/output0.raw");
  ASSERT_TRUE(content);
  const OutputHash expected{"output", sha256Hex(std::as_bytes(std::span(*content)))};
  EXPECT_THAT(answer.value.outputs, ElementsAre(expected));
}

TEST_F(GpuClientTest, EventsTimeTheKernelsWhereTheProfilerRefuses) {
  GpuClient client(worker(test::kRight, "refuse"));
  const auto answer = client.measure(options(), test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_EQ(answer.value.kernelClock, KernelClock::Events);
  EXPECT_THAT(answer.value.remarks, Contains(HasSubstr("cuptiActivityEnable")));
  for (const KernelTime &kernel : answer.value.kernels)
    EXPECT_NEAR(kernel.seconds.median, 20e-6, 1e-9) << kernel.name;
  EXPECT_FALSE(answer.value.gapSeconds()); // event times include more than the kernel
}

TEST_F(GpuClientTest, AProfiledWorkerMeasuresNoMore) {
  GpuClient client(worker(test::kRight));
  ASSERT_EQ(client.measure(options(), test::kTimeout).outcome, Outcome::Ok);
  ASSERT_EQ(client.measure(options(), test::kTimeout).outcome, Outcome::Ok);
  EXPECT_EQ(client.starts(), 2);
}

TEST_F(GpuClientTest, AWorkerWithoutProfilerGoesOn) {
  GpuClient client(worker(test::kRight));
  MeasureOptions plain = options();
  plain.useProfiler = false;
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(client.measure(plain, test::kTimeout).outcome, Outcome::Ok);
  EXPECT_EQ(client.starts(), 1);
}

TEST_F(GpuClientTest, WhatNobodyWantsIsLeftOut) {
  GpuClient client(worker(test::kRight));
  MeasureOptions few = options();
  few.singles = few.coldSamples = few.tracedRuns = 0;
  few.allocating = few.graph = false;
  const auto answer = client.measure(few, test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_FALSE(answer.value.single.measured());
  EXPECT_FALSE(answer.value.coldCache.measured());
  EXPECT_FALSE(answer.value.allocating.measured());
  EXPECT_EQ(answer.value.kernelClock, KernelClock::None);
  EXPECT_TRUE(answer.value.backToBack.measured());
}

TEST_F(GpuClientTest, ALongRunIsMeasuredTwice) {
  GpuClient client(worker(test::kRight));
  MeasureOptions allLong = options();
  allLong.longSeconds = 0; // every run counts as long
  const auto answer = client.measure(allLong, test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_EQ(answer.value.backToBack.samples, 2);
  EXPECT_EQ(answer.value.runsPerSample, 1);
  EXPECT_EQ(answer.value.warmUp.runs, 0);
  EXPECT_FALSE(answer.value.single.measured());
  ASSERT_EQ(answer.value.kernels.size(), 2U);
  EXPECT_EQ(answer.value.kernels[0].seconds.samples, 1);
  EXPECT_EQ(answer.value.kernels[0].launches, 1);
}

TEST_F(GpuClientTest, OfASlowRunNobodyWantsToKnowMuch) {
  GpuClient client(worker(test::kRight));
  MeasureOptions slow = options();
  slow.warmUpSeconds = 10; // longer than five batches take
  slow.slowSeconds = 1e-9; // every run counts as slow
  const auto answer = client.measure(slow, test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_EQ(answer.value.backToBack.samples, 2);
  EXPECT_FALSE(answer.value.warmUp.stable);
  EXPECT_TRUE(answer.value.remarks.empty()) << answer.value.remarks.front();
}

TEST_F(GpuClientTest, WithoutAReferenceNothingIsVerified) {
  GpuClient client(worker(""));
  MeasureOptions alone = options();
  alone.reference.clear();
  const auto answer = client.measure(alone, test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_FALSE(answer.value.verified());
  EXPECT_THAT(answer.value.remarks, Contains(HasSubstr("the outputs were not compared")));
}

TEST_F(GpuClientTest, WithoutNvmlClocksAreNotKnown) {
  GpuClient client(worker(test::kRight, "", "absent"));
  const auto answer = client.measure(options(), test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_EQ(answer.value.before.multiprocessorMhz, 0);
  EXPECT_THAT(answer.value.remarks, Contains(HasSubstr("NVML was not found")));
}

TEST_F(GpuClientTest, LoadsTheKernelsWithoutLaunchingThem) {
  GpuClient client(worker("fail cuLaunchKernel 719"));
  const auto answer = client.load(test::kBundle, test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_THAT(answer.value, ElementsAre(LoadedKernel{"k0_blur_x_s0", 24, 0, 0, 1024},
                                        LoadedKernel{"k1_output_s0", 24, 0, 0, 1024}));
}

TEST_F(GpuClientTest, ProgressNamesThePhases) {
  GpuClient client(worker(test::kRight));
  std::vector<std::string> phases;
  client.measure(options(), test::kTimeout, {},
                 [&](const job::Progress &progress) { phases.push_back(progress.phase); });
  EXPECT_THAT(phases, Contains("warming up"));
  EXPECT_THAT(phases, Contains("measuring the kernels"));
}

} // namespace
} // namespace tessera::bench
