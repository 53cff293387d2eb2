// SPDX-License-Identifier: MIT
// Failures of a GPU, its driver or a kernel. Each has its own outcome and message, and the next
// request finds a fresh worker.
#include "tests/engine/bench/gpu_worker_test.h"

#include <stop_token>
#include <thread>

namespace tessera::bench {
namespace {

using testing::HasSubstr;

struct Case {
  const char *name;
  std::string wishes;
  Outcome outcome;
  const char *words;
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }

class GpuFailureTest : public test::GpuWorkerTest, public testing::WithParamInterface<Case> {};

TEST_P(GpuFailureTest, IsToldAndSurvived) {
  const Case &c = GetParam();
  GpuClient client(worker(test::kRight + c.wishes));
  const auto answer = client.measure(options(), test::kTimeout);
  EXPECT_EQ(answer.outcome, c.outcome) << name(answer.outcome) << ": " << answer.error.message;
  EXPECT_THAT(answer.error.message, HasSubstr(c.words));
  client.describe(test::kTimeout);
  EXPECT_EQ(client.starts(), 2);
}

INSTANTIATE_TEST_SUITE_P(
    Failures, GpuFailureTest,
    testing::Values(
        Case{"TooManyResources", "fail cuLaunchKernel 701", Outcome::LaunchError,
             "cuLaunchKernel returned CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
        Case{"IllegalAddress", "fail cuCtxSynchronize 700", Outcome::LaunchError,
             "CUDA_ERROR_ILLEGAL_ADDRESS"},
        Case{"IllegalAddressLater", "after 30 fail cuCtxSynchronize 700", Outcome::LaunchError,
             "CUDA_ERROR_ILLEGAL_ADDRESS"},
        Case{"LaunchRefusedLater", "after 30 fail cuLaunchKernel 719", Outcome::LaunchError,
             "CUDA_ERROR_LAUNCH_FAILED"},
        Case{"KilledByTheDriver", "fail cuCtxSynchronize 702", Outcome::RunTimeout,
             "CUDA_ERROR_LAUNCH_TIMEOUT"},
        Case{"NoMemory", "fail cuMemAlloc 2", Outcome::DeviceMemory,
             "cuMemAlloc returned CUDA_ERROR_OUT_OF_MEMORY"},
        Case{"NoMemoryForAContext", "fail cuDevicePrimaryCtxRetain 2", Outcome::DeviceMemory,
             "making a context"},
        Case{"BadPtx", "fail cuModuleLoadDataEx 218", Outcome::CompileError,
             "ptxas fatal: as the test wished"},
        Case{"NoCodeForThisGpu", "fail cuModuleLoadDataEx 209", Outcome::CompileError,
             "CUDA_ERROR_NO_BINARY_FOR_GPU"},
        Case{"OlderGpu", "device 7 5", Outcome::CompileError,
             "it needs compute capability 8.6, but Fake GPU has 7.5"},
        Case{"KernelIsMissing", "fail cuModuleGetFunction 500", Outcome::LaunchError,
             "cuModuleGetFunction"},
        Case{"UploadFails", "fail cuMemcpyHtoD 700 fail cuCtxSynchronize 700", Outcome::LaunchError,
             "CUDA_ERROR_ILLEGAL_ADDRESS"},
        Case{"NoGpu", "fail cuInit 100", Outcome::DeviceLost, "cuInit returned"},
        Case{"GpuIsTaken", "fail cuDevicePrimaryCtxRetain 46", Outcome::DeviceLost,
             "CUDA_ERROR_DEVICE_UNAVAILABLE"},
        Case{"GpuFellOff", "after 30 fail cuCtxSynchronize 999", Outcome::DeviceLost, "999"},
        Case{"DriverCrashes", "die cuLaunchKernel", Outcome::Crashed, "SIGSEGV"},
        Case{"DriverCrashesLater", "after 30 die cuCtxSynchronize", Outcome::Crashed, "measure"}),
    [](const auto &test) { return test.param.name; });

class GpuWatchdogTest : public test::GpuWorkerTest {};

constexpr std::chrono::milliseconds kShort{1500};

TEST_F(GpuWatchdogTest, AKernelThatNeverEndsIsEnded) {
  GpuClient client(worker("hang cuCtxSynchronize"));
  const auto answer = client.measure(options(), kShort);
  EXPECT_EQ(answer.outcome, Outcome::RunTimeout);
  EXPECT_THAT(answer.error.message, HasSubstr("phase 'first run' within 1500 ms"));
  EXPECT_THAT(answer.error.hint, HasSubstr("may never end"));
  EXPECT_EQ(client.describe(test::kTimeout).outcome, Outcome::Ok);
  EXPECT_EQ(client.starts(), 2);
}

TEST_F(GpuWatchdogTest, OneThatHangsLaterToo) {
  GpuClient client(worker(test::kRight + "after 50 hang cuCtxSynchronize"));
  MeasureOptions many = options();
  many.batches = 10'000; // too many to finish before the deadline
  const auto answer = client.measure(many, kShort);
  EXPECT_EQ(answer.outcome, Outcome::RunTimeout) << answer.error.message;
}

TEST_F(GpuWatchdogTest, ADriverThatHangsToo) {
  GpuClient client(worker("hang cuInit"));
  const auto answer = client.describe(kShort);
  EXPECT_EQ(answer.outcome, Outcome::RunTimeout);
  EXPECT_THAT(answer.error.message, HasSubstr("describe"));
}

TEST_F(GpuWatchdogTest, AMeasurementCanBeCancelled) {
  GpuClient client(worker("hang cuCtxSynchronize"));
  std::stop_source stop;
  const auto answer = client.measure(options(), test::kTimeout, stop.get_token(),
                                     [&](const job::Progress &progress) {
                                       if (progress.phase == "first run") stop.request_stop();
                                     });
  EXPECT_EQ(answer.outcome, Outcome::Cancelled);
}

class GpuOutputTest : public test::GpuWorkerTest {};

TEST_F(GpuOutputTest, AWrongOutputHasNoTime) {
  GpuClient client(worker("")); // the launches write nothing
  const auto answer = client.measure(options(), test::kTimeout);
  EXPECT_EQ(answer.outcome, Outcome::WrongOutput);
  EXPECT_THAT(answer.error.message, HasSubstr("the output 'output' is wrong: 76800 of 76800"));
  // 32382 is 0x7e7e. Memory that was never written is filled with bytes of 0x7e.
  EXPECT_THAT(answer.error.message, HasSubstr("found 32382"));
  EXPECT_FALSE(answer.value.backToBack.measured());
}

TEST_F(GpuOutputTest, WhatBecomesWrongLaterIsNoticed) {
  GpuClient client(worker(test::kRight + "flip 100"));
  const auto answer = client.measure(options(), test::kTimeout);
  EXPECT_EQ(answer.outcome, Outcome::WrongOutput);
  EXPECT_THAT(answer.error.message, HasSubstr("After the measurement"));
  EXPECT_THAT(answer.error.message, HasSubstr("1 of 76800 elements"));
}

TEST_F(GpuOutputTest, AGpuThatNvmlHasLostIsLost) {
  GpuClient client(worker(test::kRight + "fail cuCtxSynchronize 719", "", "lost"));
  const auto answer = client.measure(options(), test::kTimeout);
  EXPECT_EQ(answer.outcome, Outcome::DeviceLost);
  EXPECT_THAT(answer.error.message, HasSubstr("The GPU is lost"));
}

} // namespace
} // namespace tessera::bench
