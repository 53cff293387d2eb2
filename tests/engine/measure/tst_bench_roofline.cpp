// SPDX-License-Identifier: MIT
#include "engine/measure/bench_roofline.h"

#include "engine/host/ceilings.h"
#include "engine/host/files.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::measure {
namespace {

using bench::KernelCounters;
using bench::MeasuredCeilings;
using cost::Origin;
using testing::HasSubstr;

// A bundle with two kernels of 2 and 3 launches of 5 µs each. A run takes 30 µs.
BenchRoofline measured() {
  BenchRoofline bench;
  bench.machine.title = "a GPU";
  bench.ceilings = cost::ceilingsOf(bench.machine);
  report::KernelReport f, g;
  f.name = "k0_f_s0";
  f.stages = {{"f", 0}};
  f.operations = {{pipeline::OpKind::Add, {pipeline::TypeKind::Float, 32}, 100}};
  f.global = {10, 5, 400, 200, 0};
  g.name = "k1_g_s0";
  g.stages = {{"g", 0}};
  bench.report.kernels = {f, g};
  bench.measurement.pipeline = "pipe";
  bench.measurement.backToBack = {30e-6, 30e-6, 30e-6, 11};
  const bench::Spread five{5e-6, 5e-6, 5e-6, 7};
  bench.measurement.kernels = {{f.name, 2, five, 24, 0}, {g.name, 3, five, 24, 0}};
  return bench;
}

KernelCounters countersOf(const std::string &kernel) {
  KernelCounters counters;
  counters.name = kernel;
  counters.dramReadBytes = 1000;
  counters.dramWriteBytes = 24;
  counters.l2Bytes = 2048;
  counters.l1Bytes = 4096;
  counters.sharedBytes = 0;
  counters.fp32 = 5000;
  counters.integers = 100;
  return counters;
}

TEST(BenchRoofline, WhatNobodyCountedIsAskedOfTheCode) {
  const cost::Roofline placed = rooflineOf(measured());
  ASSERT_EQ(placed.kernels.size(), 2U);
  const cost::Work &f = placed.kernels[0].work;
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(f.origin, Origin::Static);
  EXPECT_DOUBLE_EQ(f.seconds, 10e-6);
  EXPECT_EQ(f.operations.fp32, 100);
  EXPECT_EQ(f.traffic, (cost::Traffic{{}, {}, 600, 0}));
  EXPECT_DOUBLE_EQ(placed.kernels[1].work.seconds, 15e-6);
  ASSERT_EQ(placed.pipelines.size(), 1U);
  EXPECT_EQ(placed.pipelines[0].work.name, "pipe");
  EXPECT_DOUBLE_EQ(placed.pipelines[0].work.seconds, 30e-6); // including the gaps between kernels
}

TEST(BenchRoofline, WhatWasCountedIsPlacedByItsCounters) {
  BenchRoofline bench = measured();
  bench.counters.emplace().kernels = {countersOf("k0_f_s0"), countersOf("k1_g_s0")};
  const cost::Roofline placed = rooflineOf(bench);
  const cost::Work &f = placed.kernels.at(0).work;
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(f.origin, Origin::Measured);
  EXPECT_DOUBLE_EQ(f.seconds, 10e-6); // the measured time, not that of the run with counters
  EXPECT_EQ(f.traffic, (cost::Traffic{1024, 2048, 4096, 0}));
  EXPECT_EQ(f.operations, (cost::Operations{0, 5000, 0, 100}));
  EXPECT_EQ(placed.pipelines.at(0).work.traffic.dram, 2048);
}

// What a kernel of a loop that goes round no time would do, were it launched, is not in the sum.
TEST(BenchRoofline, AKernelThatNeverRanMovesNothing) {
  BenchRoofline bench = measured();
  bench.counters.emplace().kernels = {countersOf("k0_f_s0")};
  const cost::Roofline placed = rooflineOf(bench);
  const cost::Work &g = placed.kernels.at(1).work;
  EXPECT_EQ(g.name, "g");
  EXPECT_EQ(g.origin, Origin::Measured);
  EXPECT_EQ(g.traffic, (cost::Traffic{0, 0, 0, 0}));
  EXPECT_EQ(g.operations, cost::Operations{});
  const cost::Work &whole = placed.pipelines.at(0).work;
  EXPECT_EQ(whole.origin, Origin::Measured);
  EXPECT_EQ(whole.traffic, (cost::Traffic{1024, 2048, 4096, 0}));
  EXPECT_EQ(whole.operations.fp32, 5000);
}

TEST(BenchRoofline, ARefusalLeavesWhatTheCodeSays) {
  BenchRoofline bench = measured();
  bench.counters.emplace().refused = "not you";
  EXPECT_EQ(rooflineOf(bench).kernels.at(1).work.origin, Origin::Static);
}

TEST(BenchRoofline, WithThePipelineThePredictionStandsBeside) {
  BenchRoofline bench = measured();
  bench.schedule = schedule::testing::scheduled(
      "input i(x y) 64 64\nfunc f(x y) 64 64 = i(x; y)\nfunc g(x y) 64 64 = f(x; y)\noutput g\n",
      "f gpu_threads x | gpu_blocks y\nf compute_root\ng gpu_threads x | gpu_blocks y\n");
  const cost::Roofline placed = rooflineOf(bench);
  ASSERT_EQ(placed.kernels.size(), 4U);
  EXPECT_EQ(placed.kernels[0].work.origin, Origin::Predicted);
  // The predicted and the other point of the same kernel share a row in the table.
  EXPECT_EQ(placed.kernels[0].work.name, placed.kernels[2].work.name);
  EXPECT_EQ(placed.kernels[3].work.origin, Origin::Static);
  ASSERT_EQ(placed.pipelines.size(), 2U);
  EXPECT_TRUE(placed.floor);
}

MeasuredCeilings ceilings(const std::string &uuid, const std::string &date, double dram) {
  MeasuredCeilings made;
  made.machine = "a GPU";
  made.uuid = uuid;
  made.driver = "580";
  made.date = date;
  made.after.multiprocessorMhz = 1980;
  const auto add = [&](const char *name, double rate) {
    made.rates.push_back({name, "", "bytes", rate, rate, 9, 0});
  };
  add("dram_read", dram);
  add("dram_copy", 2 * dram);
  add("int32_add", 5);
  add("int32_mad", 4);
  add("int32_both", 8);
  return made;
}

class KeptCeilings : public testing::Test {
protected:
  KeptCeilings() { m_tools.cacheDir = m_scratch->path() + "/cache"; }
  bench::DeviceDescription gpu(const std::string &uuid, const std::string &driver = "580") const {
    bench::DeviceDescription device;
    device.name = "a GPU";
    device.uuid = uuid;
    device.driver = driver;
    return device;
  }

  Result<host::ScratchFolder> m_scratch = host::ScratchFolder::create(testing::TempDir());
  host::ToolPaths m_tools;
};

TEST_F(KeptCeilings, AreOfOneGpuAndOneDriver) {
  ASSERT_TRUE(host::keepCeilings(ceilings("GPU-1", "2026-01-01T00:00:00Z", 100), m_tools));
  EXPECT_EQ(host::keptCeilings(gpu("GPU-1"), m_tools),
            ceilings("GPU-1", "2026-01-01T00:00:00Z", 100));
  EXPECT_FALSE(host::keptCeilings(gpu("GPU-2"), m_tools));
  EXPECT_FALSE(host::keptCeilings(gpu("GPU-1", "590"), m_tools));
}

TEST_F(KeptCeilings, OfOneNameTheNewestAreDrawn) {
  machine::Machine machine;
  machine.title = "a GPU";
  EXPECT_FALSE(host::ceilingsFor(machine, m_tools).areMeasured);
  ASSERT_TRUE(host::keepCeilings(ceilings("GPU-1", "2026-03-01T00:00:00Z", 300), m_tools));
  ASSERT_TRUE(host::keepCeilings(ceilings("GPU-2", "2026-02-01T00:00:00Z", 200), m_tools));
  const cost::Ceilings found = host::ceilingsFor(machine, m_tools);
  EXPECT_TRUE(found.areMeasured);
  EXPECT_EQ(found.dram, 600); // copies were faster than loads
  EXPECT_EQ(found.integer, 8);
  EXPECT_EQ(found.integerAdd, 5);
  EXPECT_THAT(found.source, HasSubstr("measured on a GPU, driver 580, 2026-03-01, at 1980 MHz"));
  machine.title = "another GPU";
  EXPECT_FALSE(host::ceilingsFor(machine, m_tools).areMeasured);
}

} // namespace
} // namespace tessera::measure
