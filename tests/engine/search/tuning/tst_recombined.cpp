// SPDX-License-Identifier: MIT
#include "engine/search/tuning/recombined.h"

#include "engine/search/tuning/kernel_tuning.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tessera::search {
namespace {

using schedule::Schedule;
using schedule::testing::funcOf;

constexpr std::string_view kChain = "input in 2052 2052\n"
                                    "func a(x y) 2050 2050 = in(x; y) in(x+1; y) in(x+2; y+2)\n"
                                    "func b(x y) 2049 2049 = a(x; y) a(x+1; y+1)\n"
                                    "func c(x y) 2048 2048 = b(x; y) b(x+1; y) b(x; y+1)\n"
                                    "func d(x y) 2048 2048 = c(x; y) c(x; y)\n"
                                    "output d\n";

// Directives that make the func a kernel of its own with blocks that are `wide` points wide.
std::string kernel(const std::string &name, int wide) {
  return name + " split x xb xt " + std::to_string(wide) +
         " shift_inwards | split y yb yt 4 shift_inwards | reorder xt yt xb yb | "
         "gpu_threads xt yt | gpu_blocks xb yb | compute_root\n";
}
const std::string kAInB =
    "a compute_at b:xb | split x xo xt 32 guard_with_if | split y yo yt 4 guard_with_if | "
    "reorder xt yt xo yo | gpu_threads xt yt\n";

struct Kernel {
  const char *output;
  double seconds;
};

MeasuredSchedule measured(const Schedule &schedule, const std::vector<Kernel> &kernels) {
  MeasuredSchedule all{schedule, {}, 0};
  for (const Kernel &kernel : kernels) {
    all.kernels.push_back({funcOf(schedule, kernel.output), kernel.seconds});
    all.seconds += kernel.seconds;
  }
  return all;
}

MeasuredSchedule measured(const std::string &directives, const std::vector<Kernel> &kernels) {
  return measured(schedule::testing::scheduled(kChain, directives), kernels);
}

std::optional<Candidate> mixed(const MeasuredSchedule &base, const MeasuredSchedule &other) {
  const MeasuredSchedule *others[] = {&other};
  const auto candidate = recombined(base, others, {});
  EXPECT_TRUE(!candidate || schedule::isLegal(candidate->schedule, {}));
  return candidate;
}

std::string alone(int a, int b, int c, int d) {
  return kernel("a", a) + kernel("b", b) + kernel("c", c) + kernel("d", d);
}

TEST(Recombined, EachKernelIsTheFasterOne) {
  const auto base = measured(alone(32, 32, 32, 32), {{"a", 1}, {"b", 5}, {"c", 2}, {"d", 4}});
  const auto other = measured(alone(64, 64, 64, 64), {{"a", 2}, {"b", 3}, {"c", 1}, {"d", 4}});
  const auto best = mixed(base, other);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->schedule, schedule::testing::scheduled(kChain, alone(32, 64, 64, 32)));
  EXPECT_DOUBLE_EQ(best->seconds, 1 + 3 + 1 + 4);
}

TEST(Recombined, TwoKernelsStandAgainstOneOfTheSameFuncs) {
  const auto apart = measured(alone(32, 32, 32, 32), {{"a", 1}, {"b", 1}, {"c", 9}, {"d", 4}});
  const std::string fused = kernel("b", 64) + kAInB + kernel("c", 64) + kernel("d", 64);
  const auto slow = measured(fused, {{"b", 3}, {"c", 1}, {"d", 5}});
  const auto best = mixed(apart, slow);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->schedule, schedule::testing::scheduled(kChain, alone(32, 32, 64, 32)));
  const auto fast = measured(fused, {{"b", 1.5}, {"c", 9}, {"d", 5}});
  const auto taken = mixed(apart, fast);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->schedule,
            schedule::testing::scheduled(kChain, kernel("b", 64) + kAInB + kernel("c", 32) +
                                                     kernel("d", 32)));
  EXPECT_DOUBLE_EQ(taken->seconds, 1.5 + 9 + 4);
}

// In the second schedule, c is inlined into d. So the time of its kernel d is compared with the
// time of the kernels c and d of the first schedule together.
TEST(Recombined, WhatIsInlinedBelongsToThoseThatReadIt) {
  const auto base = measured(alone(32, 32, 32, 32), {{"a", 1}, {"b", 1}, {"c", 2}, {"d", 2}});
  const std::string inlined = kernel("a", 64) + kernel("b", 64) + kernel("d", 64);
  EXPECT_FALSE(mixed(base, measured(inlined, {{"a", 1}, {"b", 1}, {"d", 4.5}})));
  const auto best = mixed(base, measured(inlined, {{"a", 1}, {"b", 1}, {"d", 3}}));
  ASSERT_TRUE(best);
  EXPECT_EQ(best->schedule, schedule::testing::scheduled(kChain, kernel("a", 32) + kernel("b", 32) +
                                                                     kernel("d", 64)));
}

TEST(Recombined, NothingOfOneThatIsNoFasterAnywhereOrHasAnotherCap) {
  const auto base = measured(alone(32, 32, 32, 32), {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}});
  auto other = measured(alone(64, 64, 64, 64), {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 0.99}});
  EXPECT_FALSE(mixed(base, other));
  other.kernels.front().seconds = 0.5;
  EXPECT_TRUE(mixed(base, other));
  schedule::Settings settings = other.schedule.settings();
  settings.registerCap = 96;
  other.schedule.set(std::move(settings));
  EXPECT_FALSE(mixed(base, other));
}

TEST(Recombined, ATuningTriesItOnceThereIsSomethingNew) {
  const auto apart = measured(alone(32, 32, 32, 32), {{"a", 1}, {"b", 1}, {"c", 9}, {"d", 4}});
  const auto fused = measured(kernel("b", 64) + kAInB + kernel("c", 64) + kernel("d", 64),
                              {{"b", 3}, {"c", 1}, {"d", 12}});
  KernelTuning tuning({}, 1);
  for (const MeasuredSchedule &one : {apart, fused})
    tuning.learn(one.schedule, one.kernels, one.seconds);
  const auto best = tuning.next({});
  ASSERT_TRUE(best);
  EXPECT_EQ(best->schedule, schedule::testing::scheduled(kChain, alone(32, 32, 64, 32)));
  EXPECT_DOUBLE_EQ(best->seconds, 1 + 1 + 1 + 4);
  const auto other = tuning.next({best->schedule.hash()});
  ASSERT_TRUE(other);
  EXPECT_NE(other->schedule, best->schedule);
}

TEST(Recombined, WhatWasNotMeasuredStays) {
  const auto base = measured(alone(32, 32, 32, 32), {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}});
  EXPECT_FALSE(mixed(base, measured(alone(64, 64, 64, 64), {})));
}

} // namespace
} // namespace tessera::search
