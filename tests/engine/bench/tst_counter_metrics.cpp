// SPDX-License-Identifier: MIT
#include "engine/bench/device/counter_metrics.h"

#include "engine/bench/device/shared_library.h"
#include "engine/job/sanitized.h"

#include <cupti_profiler_host.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::bench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

bool everything(const std::string &) { return true; }

// One launch in which these metrics have these values and all others are 0.
KernelCounters counted(const std::vector<std::pair<std::string, double>> &values) {
  const CounterMetrics metrics(everything);
  std::vector<double> all(metrics.names().size());
  for (const auto &[metric, value] : values) {
    const auto found = std::ranges::find(metrics.names(), metric);
    EXPECT_NE(found, metrics.names().end()) << metric;
    all[static_cast<std::size_t>(found - metrics.names().begin())] = value;
  }
  return metrics.of(all);
}

std::string operations(const char *which) {
  return std::string("smsp__sass_thread_inst_executed_op_") + which + "_pred_on.sum";
}

TEST(CounterMetrics, AFusedMultiplyAddIsTwoOperations) {
  const KernelCounters c = counted({{operations("fadd"), 1},
                                    {operations("fmul"), 10},
                                    {operations("ffma"), 100},
                                    {operations("dfma"), 1000},
                                    {operations("integer"), 7}});
  EXPECT_EQ(c.fp32, 211);
  EXPECT_EQ(c.fp64, 2000);
  EXPECT_EQ(c.fp16, 0);
  EXPECT_EQ(c.integers, 7);
}

TEST(CounterMetrics, AnInstructionOfHalvesWorksOnTwo) {
  EXPECT_EQ(
      counted({{operations("hadd"), 1}, {operations("hmul"), 10}, {operations("hfma"), 100}}).fp16,
      422);
}

TEST(CounterMetrics, BytesAreThoseOfEachLevel) {
  const KernelCounters c = counted({{"dram__bytes_read.sum", 11},
                                    {"dram__bytes_write.sum", 5},
                                    {"lts__t_bytes.sum", 40},
                                    {"l1tex__t_bytes.sum", 90},
                                    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 3}});
  EXPECT_EQ(c.dramReadBytes, 11);
  EXPECT_EQ(c.dramWriteBytes, 5);
  EXPECT_EQ(c.l2Bytes, 40);
  EXPECT_EQ(c.l1Bytes, 90);
  EXPECT_EQ(c.sharedBytes, 3 * 128);
}

TEST(CounterMetrics, StallsAreSharesOfTheTimeThatWarpsWereResident) {
  const KernelCounters c = counted({{"smsp__warps_active.sum", 200},
                                    {"smsp__warps_issue_stalled_barrier.sum", 50},
                                    {"smsp__warps_issue_stalled_long_scoreboard.sum", 120},
                                    {"sm__warps_active.avg.pct_of_peak_sustained_active", 62.5},
                                    {"gpu__time_duration.sum", 3000}});
  ASSERT_GE(c.stalls.size(), 2U);
  EXPECT_EQ(c.stalls[0], (Stall{"long_scoreboard", 0.6}));
  EXPECT_EQ(c.stalls[1], (Stall{"barrier", 0.25}));
  EXPECT_EQ(c.occupancy, 0.625);
  EXPECT_DOUBLE_EQ(c.seconds.value(), 3e-6);
}

TEST(CounterMetrics, WhatAGpuDoesNotCountIsNotKnown) {
  const CounterMetrics metrics([](const std::string &metric) {
    return !metric.starts_with("dram__") && metric.find("ffma") == std::string::npos &&
           !metric.starts_with("smsp__warps_active");
  });
  EXPECT_THAT(metrics.absent(),
              ElementsAre("bytes read from device memory", "bytes written to device memory",
                          "operations of 32-bit floats", "why warps wait"));
  const KernelCounters c = metrics.of(std::vector<double>(metrics.names().size(), 1));
  EXPECT_FALSE(c.dramReadBytes);
  EXPECT_FALSE(c.fp32); // the additions alone would be a wrong count
  EXPECT_EQ(c.fp64, 4);
  EXPECT_THAT(c.stalls, IsEmpty());
}

TEST(CounterMetrics, LaunchesOfAKernelAreAdded) {
  KernelCounters brief, lengthy;
  brief.launches = lengthy.launches = 1;
  brief.seconds = 1;
  brief.occupancy = 0.5;
  brief.l2Bytes = 10;
  brief.stalls = {{"wait", 0.4}};
  lengthy.seconds = 3;
  lengthy.occupancy = 0.9;
  lengthy.l2Bytes = 30;
  lengthy.stalls = {{"barrier", 0.7}, {"wait", 0.2}};
  const KernelCounters all = together("k", std::vector{brief, lengthy});
  EXPECT_EQ(all.name, "k");
  EXPECT_EQ(all.launches, 2);
  EXPECT_EQ(all.seconds, 4);
  EXPECT_EQ(all.l2Bytes, 40);
  EXPECT_FALSE(all.l1Bytes);
  EXPECT_DOUBLE_EQ(all.occupancy.value(), 0.8); // (0.5 + 3 * 0.9) / 4
  ASSERT_EQ(all.stalls.size(), 2U);
  EXPECT_EQ(all.stalls[0].reason, "barrier");
  EXPECT_DOUBLE_EQ(all.stalls[1].share, 0.25); // (0.4 + 3 * 0.2) / 4
}

// The names are checked against the real library, which also knows chips that are not in this
// machine.
class RealMetrics : public testing::TestWithParam<const char *> {};

TEST_P(RealMetrics, AreKnownToCupti) {
  if (job::kSanitized) GTEST_SKIP() << "CUPTI is opened with RTLD_DEEPBIND";
  const auto library = SharedLibrary::open(
      {"libcupti.so.13", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13",
       "/usr/local/cuda/lib64/libcupti.so.13", "/usr/local/cuda/lib/libcupti.so.13"},
      SharedLibrary::Unload::Never);
  if (!library) GTEST_SKIP() << "CUPTI is not here: " << library.error().message;
  decltype(&cuptiProfilerHostInitialize) initialize = nullptr;
  decltype(&cuptiProfilerHostGetMetricProperties) properties = nullptr;
  ASSERT_TRUE(assignSymbol(*library, "cuptiProfilerHostInitialize", initialize));
  ASSERT_TRUE(assignSymbol(*library, "cuptiProfilerHostGetMetricProperties", properties));
  CUpti_Profiler_Host_Initialize_Params host{CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE,
                                             nullptr};
  host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  host.pChipName = GetParam();
  if (const CUptiResult code = initialize(&host); code != CUPTI_SUCCESS)
    GTEST_SKIP() << "CUPTI knows the chip only with its driver: error " << code;
  const CounterMetrics metrics([&](const std::string &metric) {
    CUpti_Profiler_Host_GetMetricProperties_Params about{
        CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE, nullptr};
    about.pHostObject = host.pHostObject;
    about.pMetricName = metric.c_str();
    return properties(&about) == CUPTI_SUCCESS;
  });
  EXPECT_THAT(metrics.absent(), IsEmpty());
  EXPECT_GT(metrics.names().size(), 30U);
}

INSTANTIATE_TEST_SUITE_P(Chips, RealMetrics, testing::Values("TU102", "GA100", "AD102", "GH100"));

} // namespace
} // namespace tessera::bench
