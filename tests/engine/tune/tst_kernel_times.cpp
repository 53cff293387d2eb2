// SPDX-License-Identifier: MIT
#include "engine/tune/kernel_times.h"

#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace tessera::tune {
namespace {

CandidateKernel kernel(std::uint32_t func, const char *content) {
  return {pipeline::FuncId{func}, {}, content};
}

TimedKernel timed(const char *content, double seconds) {
  return {.content = content, .seconds = seconds};
}

TuneWork candidate(std::uint64_t hash, std::initializer_list<CandidateKernel> parts) {
  static const auto pipeline = pipeline::test::sketch("func f(x) 8 = \noutput f\n");
  TuneWork work{.candidate = {schedule::defaultSchedule(pipeline), 0}, .record = {}};
  work.record.hash = hash;
  work.parts = parts;
  return work;
}

TEST(KernelTimes, EachIsClaimedOnce) {
  KernelTimes times({timed("known", 1e-6)});
  EXPECT_FALSE(times.claim("known"));
  EXPECT_TRUE(times.claim("new"));
  EXPECT_FALSE(times.claim("new"));
}

TEST(KernelTimes, ACandidateWaitsForItsLastKernel) {
  KernelTimes times({timed("a", 1e-6)});
  EXPECT_TRUE(times.await(candidate(1, {kernel(0, "a")})));
  EXPECT_FALSE(times.await(candidate(2, {kernel(0, "a"), kernel(1, "b")})));
  EXPECT_FALSE(times.await(candidate(3, {kernel(0, "b"), kernel(1, "c")})));
  const auto first = times.finish(timed("b", 2e-6));
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].record.hash, 2U);
  const auto second = times.finish(timed("c", 4e-6));
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].record.hash, 3U);
  EXPECT_TRUE(times.finish(timed("c", 4e-6)).empty());
}

TEST(KernelTimes, TheTimeOfAllIsTheirSum) {
  const KernelTimes times({timed("a", 1e-6), timed("b", 2e-6)});
  const std::vector<CandidateKernel> alike{kernel(0, "a"), kernel(1, "b"), kernel(2, "b")};
  const auto found = times.timesOf(alike);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[2].output, pipeline::FuncId{2});
  EXPECT_DOUBLE_EQ(secondsOf(found), 5e-6);
}

TEST(KernelTimes, OneWithoutATimeLeavesTheOthersUntold) {
  TimedKernel refused{.content = "b", .outcome = Outcome::CompileError, .message = "no"};
  const KernelTimes times({timed("a", 1e-6), refused});
  const std::vector<CandidateKernel> both{kernel(0, "a"), kernel(1, "b")};
  EXPECT_TRUE(times.timesOf(both).empty());
  EXPECT_FALSE(times.fatalOf(both));
}

TEST(KernelTimes, WhatTheGpuDidNotSurviveIsTold) {
  TimedKernel deadly{.content = "b", .outcome = Outcome::DeviceLost, .message = "it is gone"};
  const KernelTimes times({timed("a", 1e-6), deadly});
  const std::vector<CandidateKernel> both{kernel(0, "a"), kernel(1, "b")};
  ASSERT_TRUE(times.fatalOf(both));
  EXPECT_EQ(times.fatalOf(both)->message, "it is gone");
  EXPECT_FALSE(times.fatalOf(std::span(both).first(1)));
}

} // namespace
} // namespace tessera::tune
