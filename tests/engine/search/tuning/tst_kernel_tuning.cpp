// SPDX-License-Identifier: MIT
#include "engine/search/tuning/kernel_tuning.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/register_caps.h"
#include "engine/search/kernels/written_tile.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/searched.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using schedule::Schedule;

constexpr std::string_view kTwoKernels = "input in 2050 2050\n"
                                         "func a(x y) 2048 2048 = in(x; y) in(x; y+1) in(x; y+2)\n"
                                         "func b(x y) 1024 1024 = a(2x; 2y) a(2x+1; 2y)\n"
                                         "output a\n"
                                         "output b\n";

Schedule found(std::string_view sketch) { return testing::searched(sketch).best.schedule; }

// Returns the run time on a GPU that the cost model predicts badly: beyond 64 threads per block,
// the time doubles whenever their number doubles.
double truth(const Schedule &schedule, const cost::Prediction::Kernel &kernel) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  const Group group{pipeline.stage(kernel.load.stage).func, {}, {}, pipeline.ids()};
  const Tile tile = tileLike(schedule, group);
  const auto threads = static_cast<double>(tile.threads[0] * tile.threads[1]);
  return kernel.time.seconds * std::max(1.0, threads / 64);
}

struct Measured {
  std::vector<MeasuredKernel> kernels;
  double seconds = 0;
};

Measured measured(const Schedule &schedule) {
  Measured all;
  for (const auto &kernel : cost::predict(schedule, {}).kernels) {
    const double seconds = truth(schedule, kernel);
    all.kernels.push_back({schedule.pipeline()->stage(kernel.load.stage).func, seconds});
    all.seconds += seconds;
  }
  return all;
}

struct Tuned {
  double first = 0, best = 0;
  std::set<std::uint64_t> known;
  std::set<int> caps;
};

Tuned tuned(std::string_view sketch, std::size_t proposals, std::uint64_t seed = 1) {
  KernelTuning tuning({}, seed);
  const Schedule start = found(sketch);
  const Measured first = measured(start);
  tuning.learn(start, first.kernels, first.seconds);
  Tuned result{first.seconds, first.seconds, {start.hash()}, {}};
  for (std::size_t i = 0; i < proposals; ++i) {
    const auto candidate = tuning.next(result.known);
    if (!candidate) break;
    EXPECT_TRUE(schedule::isLegal(candidate->schedule, {}));
    EXPECT_TRUE(result.known.insert(candidate->schedule.hash()).second);
    result.caps.insert(candidate->schedule.settings().registerCap);
    const Measured now = measured(candidate->schedule);
    result.best = std::min(result.best, now.seconds);
    tuning.learn(candidate->schedule, now.kernels, now.seconds);
  }
  return result;
}

// The tuning has measured a schedule with two kernels, and one in which they are fused. If the
// fused kernel is fast, the tuning also tries variants of it.
TEST(KernelTuning, TriesFuncsInOtherKernels) {
  const std::string tiles = " split x xb xt 32 shift_inwards | split y yb yt 8 shift_inwards | "
                            "reorder xt yt xb yb | gpu_threads xt yt | gpu_blocks xb yb";
  const Schedule start = schedule::testing::scheduled(
      "input in 2052 2052\nfunc a(x y) 2050 2050 = in(x; y) in(x+1; y) in(x; y+2)\n"
      "func b(x y) 2048 2048 = a(x; y) a(x+1; y+1) a(x; y+2)\noutput b\n",
      "b" + tiles + "\na" + tiles + " | compute_root");
  KernelTuning tuning({}, 1);
  const Measured first = measured(start);
  tuning.learn(start, first.kernels, first.seconds);
  std::set<std::uint64_t> known{start.hash()};
  std::set<std::size_t> kernels;
  for (int i = 0; i < 16; ++i) {
    const auto candidate = tuning.next(known);
    ASSERT_TRUE(candidate);
    known.insert(candidate->schedule.hash());
    kernels.insert(groupsOf(candidate->schedule).size());
    const Measured now = measured(candidate->schedule);
    tuning.learn(candidate->schedule, now.kernels, now.seconds);
  }
  EXPECT_GT(kernels.size(), 1U);
}

TEST(KernelTuning, LearnsWhatOurCostIsWrongAbout) {
  const Tuned result = tuned(kTwoKernels, 40);
  EXPECT_EQ(result.known.size(), 41U);
  EXPECT_LT(result.best, 0.6 * result.first);
}

TEST(KernelTuning, TriesKernelsSideBySide) {
  KernelTuning tuning({}, 1);
  const Schedule start = found(kTwoKernels);
  const Measured first = measured(start);
  tuning.learn(start, first.kernels, first.seconds);
  const auto candidate = tuning.next({start.hash()});
  ASSERT_TRUE(candidate);
  for (const MeasuredKernel &kernel : first.kernels)
    EXPECT_NE(candidate->schedule.plan(kernel.output), start.plan(kernel.output));
}

TEST(KernelTuning, TheSameSeedAndCallsGiveTheSame) {
  EXPECT_EQ(tuned(kTwoKernels, 20, 3).known, tuned(kTwoKernels, 20, 3).known);
}

TEST(KernelTuning, ProposesNothingWhereNothingIsKnown) {
  KernelTuning tuning({}, 1);
  EXPECT_FALSE(tuning.next({}));
}

TEST(KernelTuning, AnotherRegisterCapIsTriedToo) {
  EXPECT_EQ(tuned(kTwoKernels, 60).caps, std::set<int>(kRegisterCaps.begin(), kRegisterCaps.end()));
}

TEST(KernelTuning, WhatFailsAloneIsNotProposedAgain) {
  KernelTuning tuning({}, 1);
  const Schedule start = found("input in 2050 2050\n"
                               "func a(x y) 2048 2048 = in(x; y) in(x; y+1) in(x; y+2)\n"
                               "output a\n");
  const Measured first = measured(start);
  tuning.learn(start, first.kernels, first.seconds);
  std::set<std::uint64_t> failed;
  for (int i = 0; i < 30; ++i) {
    const auto candidate = tuning.next({start.hash()}); // a failed variant is never proposed again
    ASSERT_TRUE(candidate);
    tuning.fail(candidate->schedule.hash());
    const bool isCapAlone = candidate->schedule.plan(FuncId{0}) == start.plan(FuncId{0});
    EXPECT_TRUE(failed.insert(candidate->schedule.hash()).second || isCapAlone);
  }
}

// The funcs of a schedule's kernels have the same names whether or not the schedule adds a func
// that is inlined. But the ids of all later funcs differ.
TEST(KernelTuning, IdsOfOnePipelineAreNotUsedWithAnother) {
  const Schedule plain = found(kTwoKernels);
  Schedule added = plain;
  ASSERT_TRUE(added.add(schedule::Wrapper{"a_copy", "a", {"b"}}));
  auto inlined = withInlined(added, schedule::testing::funcOf(added, "a_copy"));
  ASSERT_TRUE(inlined);
  ASSERT_TRUE(schedule::isLegal(*inlined, {}));
  KernelTuning tuning({}, 1);
  std::set<std::uint64_t> known;
  const auto learn = [&](const Schedule &schedule, double faster) {
    Measured now = measured(schedule);
    for (MeasuredKernel &kernel : now.kernels)
      kernel.seconds /= faster;
    tuning.learn(schedule, now.kernels, now.seconds / faster);
    known.insert(schedule.hash());
  };
  learn(*inlined, 1);
  learn(plain, 2);
  for (int i = 0; i < 16; ++i) {
    const auto candidate = tuning.next(known);
    ASSERT_TRUE(candidate);
    EXPECT_TRUE(schedule::isLegal(candidate->schedule, {}));
    learn(candidate->schedule, 1);
  }
}

TEST(KernelVariants, AreDifferentAndTheBestFirst) {
  const Schedule start = found(kTwoKernels);
  const std::vector<Group> groups = groupsOf(start);
  for (const Group &group : groups) {
    const auto variants = variantsAround(start, {group, {}, 0}, {}, 100);
    ASSERT_GE(variants.size(), 50U);
    EXPECT_LE(variants.size(), 100U);
    EXPECT_TRUE(std::ranges::is_sorted(variants, {}, &KernelVariant::seconds));
    std::set<std::uint64_t> seen;
    for (const KernelVariant &variant : variants) {
      const auto written = withVariant(start, variant);
      ASSERT_TRUE(written);
      EXPECT_TRUE(seen.insert(written->hash()).second);
    }
  }
}

TEST(KernelVariants, DistanceCountsOctavesAndChoices) {
  KernelVariant a{{FuncId{0}, Tile{{32, 8}, {1, 1}}, {}}, {}, 0}, b = a;
  EXPECT_EQ(squaredDistance(a, b), 0);
  b.group.tile->threads = {64, 4}; // a factor of 2 up along x and one down along y
  EXPECT_EQ(squaredDistance(a, b), 2);
  b.group.tile->points = {1, 8}; // a factor of 8, which adds 3 squared
  EXPECT_EQ(squaredDistance(a, b), 11);
  b.group.tile->turns = Turns::Unrolled;
  EXPECT_EQ(squaredDistance(a, b), 12);
  a.group.members = {{FuncId{1}, Placement::Block}};
  b.group.members = {{FuncId{1}, Placement::Thread}};
  EXPECT_EQ(squaredDistance(a, b), 13);
}

} // namespace
} // namespace tessera::search
