// SPDX-License-Identifier: MIT
#include "engine/measure/run_profile.h"

#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::measure {
namespace {

using testing::ElementsAre;

bench::KernelTime timed(const std::string &name, double launches, double seconds) {
  return {name, launches, {seconds, seconds, seconds, 7}, 24, 0};
}

report::KernelReport kernel(const std::string &name, const std::string &func) {
  report::KernelReport report;
  report.name = name;
  report.stages = {{func, 0}};
  return report;
}

// The pipeline is a → b → c → d. b is inlined, so the kernel of c reads a.
class RunProfileTest : public testing::Test {
protected:
  RunProfileTest() {
    m_measured.bundle.kernels = {kernel("k0", "a"), kernel("k1", "c"), kernel("k2", "d")};
    m_measured.bundle.allocations = {{"a", 1000, 1}, {"c", 200, 1}};
    m_measured.times.kernelClock = bench::KernelClock::Cupti;
    m_measured.times.kernels = {timed("k0", 1, 10e-6), timed("k1", 2, 5e-6), timed("k2", 1, 4e-6)};
    m_measured.times.backToBack = {30e-6, 29e-6, 31e-6, 11};
    m_measured.times.allocating = {37e-6, 37e-6, 37e-6, 11};
  }

  const schedule::Schedule m_schedule =
      schedule::testing::scheduled("input in 66 66\n"
                                   "func a(x y) 66 64 = in(x; y+[0,2])\n"
                                   "func b(x y) 66 64 = a(x; y)\n"
                                   "func c(x y) 64 64 = b(x+[0,2]; y)\n"
                                   "func d(x y) 64 64 = c(x; y)\n"
                                   "output d\n",
                                   "a compute_root | gpu_blocks y | gpu_threads x\n"
                                   "c compute_root | gpu_blocks y | gpu_threads x\n"
                                   "d gpu_blocks y | gpu_threads x");
  KeptMeasurement m_measured;
};

TEST_F(RunProfileTest, KernelsFollowEachOther) {
  const RunProfile profile = profileOf(m_measured, m_schedule);
  ASSERT_EQ(profile.kernels.size(), 3U);
  EXPECT_TRUE(profile.isTimed);
  EXPECT_DOUBLE_EQ(profile.kernels[1].seconds, 10e-6) << "of both launches";
  EXPECT_DOUBLE_EQ(profile.kernels[2].begin, 20e-6);
  EXPECT_DOUBLE_EQ(*profile.gapSeconds, 6e-6);
  EXPECT_DOUBLE_EQ(*profile.allocationSeconds, 7e-6);
}

TEST_F(RunProfileTest, MemoryIsNeededFromItsWriterToItsLastReader) {
  const RunProfile profile = profileOf(m_measured, m_schedule);
  ASSERT_EQ(profile.intermediates.size(), 2U);
  EXPECT_EQ(profile.intermediates[0].from, 0U);
  EXPECT_EQ(profile.intermediates[0].to, 1U) << "c reads a through what is inlined";
  EXPECT_EQ(profile.intermediates[1].from, 1U);
  EXPECT_EQ(profile.intermediates[1].to, 2U);
  std::vector<std::int64_t> alive;
  for (const RunProfile::Kernel &kernel : profile.kernels)
    alive.push_back(kernel.aliveBytes);
  EXPECT_THAT(alive, ElementsAre(1000, 1200, 200));
  EXPECT_EQ(profile.peakBytes, 1200);
  EXPECT_EQ(profile.intermediateBytes(), 1200);
}

TEST_F(RunProfileTest, WhatIsNotKnownIsThereAllTheTime) {
  m_measured.bundle.allocations = {{"strange", 8, 1}, {"c.1", 16, 1}};
  const RunProfile profile = profileOf(m_measured, m_schedule);
  EXPECT_EQ(profile.intermediates[0].from, 0U);
  EXPECT_EQ(profile.intermediates[0].to, 2U);
  EXPECT_EQ(profile.intermediates[1].from, 1U) << "an element of a tuple";
}

TEST_F(RunProfileTest, WithoutTimesThereAreStillKernels) {
  m_measured.times.kernelClock = bench::KernelClock::None;
  m_measured.times.kernels.clear();
  const RunProfile profile = profileOf(m_measured, m_schedule);
  EXPECT_FALSE(profile.isTimed);
  EXPECT_EQ(profile.kernels.size(), 3U);
  EXPECT_FALSE(profile.gapSeconds);
  EXPECT_EQ(profile.peakBytes, 1200);
}

TEST_F(RunProfileTest, TimesAreOfTheStagesThatOwnTheBlocks) {
  m_measured.bundle.kernels[1].stages = {{"c", 1}, {"a", 0}};
  EXPECT_THAT(measuredSeconds(m_measured, {"a", "c.update(0)", "x"}),
              ElementsAre(testing::Optional(10e-6), testing::Optional(10e-6), std::nullopt));
}

} // namespace
} // namespace tessera::measure
