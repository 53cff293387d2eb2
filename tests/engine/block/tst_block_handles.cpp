// SPDX-License-Identifier: MIT
#include "engine/block/block_handles.h"

#include "engine/schedule/edits/parts.h"
#include "tests/engine/block/blocked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::block {
namespace {

using schedule::LoopKind;
using testing::Blocked;
using ::testing::HasSubstr;

const std::string kBlur = "input in 1024 1024\n"
                          "func f(x y) 1024 1024 = in(x; y) in(x+1; y)\n"
                          "func g(x y) 1024 1024 = f(x; y) f(x; y+1)\n"
                          "output g\n";
const std::string kTiled = "g split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | "
                           "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n"
                           "f compute_at g:xo | split x fo fi 32 guard_with_if | "
                           "reorder fi y fo | gpu_threads fi y";

const BlockHandle &handle(const std::vector<BlockHandle> &handles, HandleKind kind,
                          const std::string &dim) {
  return *std::ranges::find_if(
      handles, [&](const BlockHandle &one) { return one.kind == kind && one.dim == dim; });
}

const HandleStop &stop(const std::vector<HandleStop> &stops, std::int64_t value) {
  return *std::ranges::find(stops, value, &HandleStop::value);
}

TEST(BlockHandles, ThreadsThenPointsThenVectors) {
  const Blocked blur(kBlur, kTiled);
  const auto handles = handlesOf(blur.schedule(), blur.stage("g"));
  ASSERT_EQ(handles.size(), 5u);
  EXPECT_EQ(handles[0], (BlockHandle{HandleKind::Threads, 0, {0, 1}, "x", 32, {}}));
  EXPECT_EQ(handles[1], (BlockHandle{HandleKind::Threads, 1, {1, 1}, "y", 8, {}}));
  EXPECT_EQ(handles[2], (BlockHandle{HandleKind::Points, 0, {0, 1}, "x", 1, {}}));
  EXPECT_EQ(handles[4], (BlockHandle{HandleKind::Vector, 0, {0, 1}, "x", 1, {}}));
}

TEST(BlockHandles, MoreThreadsMakeALargerTile) {
  const Blocked blur(kBlur, kTiled);
  const auto handles = handlesOf(blur.schedule(), blur.stage("g"));
  const auto stops = stopsOf(blur.schedule(), blur.machine(), blur.stage("g"),
                             handle(handles, HandleKind::Threads, "x"));
  const HandleStop &more = stop(stops, 64);
  ASSERT_TRUE(more.isLegal()) << more.refusal;
  // For its eight rows, g needs nine rows of f, so a block has nine rows of threads.
  EXPECT_EQ(more.block->threads.threads, (ThreadPlace{64, 9, 1}));
  EXPECT_EQ(more.block->threads.active, (ThreadPlace{64, 8, 1}));
  EXPECT_EQ(more.block->threads.points(), 1);
  EXPECT_EQ(more.text, "x: 64 threads");
  EXPECT_DOUBLE_EQ(more.seconds, cost::predict(*more.schedule, blur.machine()).seconds);
  // The present size is among the stops, and choosing it changes nothing.
  EXPECT_EQ(stop(stops, 32).schedule, blur.schedule());
}

TEST(BlockHandles, TooManyThreadsAreRefusedWithTheReason) {
  const Blocked blur(kBlur, kTiled);
  const auto handles = handlesOf(blur.schedule(), blur.stage("g"));
  const auto stops = stopsOf(blur.schedule(), blur.machine(), blur.stage("g"),
                             handle(handles, HandleKind::Threads, "x"));
  const HandleStop &most = stop(stops, 1024);
  EXPECT_FALSE(most.isLegal());
  EXPECT_THAT(most.refusal, HasSubstr("1024"));
  EXPECT_EQ(most.block, nullptr);
}

TEST(BlockHandles, PointsAreUnrolledCopiesInsideOfTheThreads) {
  const Blocked blur(kBlur, kTiled);
  const auto handles = handlesOf(blur.schedule(), blur.stage("g"));
  const auto stops = stopsOf(blur.schedule(), blur.machine(), blur.stage("g"),
                             handle(handles, HandleKind::Points, "y"));
  const HandleStop &two = stop(stops, 2);
  ASSERT_TRUE(two.isLegal()) << two.refusal;
  EXPECT_EQ(two.block->threads.copies, 2);
  EXPECT_EQ(two.block->threads.tile, (std::vector<std::int64_t>{1, 2}));
  // The handle of the new schedule has the new size, and can lead back to the old one.
  const auto after = handlesOf(*two.schedule, blur.stage("g"));
  EXPECT_EQ(handle(after, HandleKind::Points, "y").value, 2);
  const auto back = stopsOf(*two.schedule, blur.machine(), blur.stage("g"),
                            handle(after, HandleKind::Points, "y"));
  EXPECT_EQ(stop(back, 1).schedule->plan(blur.stage("g")).nest,
            blur.schedule().plan(blur.stage("g")).nest);
}

// Lanes that are eight points apart, where the threads are next to one another.
TEST(BlockHandles, AVectorOutsideOfTheThreadsIsNotAmongTheirPoints) {
  const Blocked blur(kBlur, "g split x xo xr 32 round_up | split xr xv xi 8 round_up | "
                            "split y yo yi 8 round_up | reorder xv xi yi xo yo | vectorize xv | "
                            "gpu_threads xi yi | gpu_blocks xo yo");
  const auto handles = handlesOf(blur.schedule(), blur.stage("g"));
  EXPECT_EQ(handle(handles, HandleKind::Threads, "x").value, 8);
  EXPECT_EQ(handle(handles, HandleKind::Vector, "x").value, 4);
  const BlockHandle &points = handle(handles, HandleKind::Points, "x");
  EXPECT_EQ(points.value, 1);
  const auto stops = stopsOf(blur.schedule(), blur.machine(), blur.stage("g"), points);
  EXPECT_TRUE(stop(stops, 1).isLegal()) << stop(stops, 1).refusal;
  EXPECT_EQ(stops.size(), 13u);
}

TEST(BlockHandles, VectorsAreInnermost) {
  const Blocked blur(kBlur, kTiled);
  const auto handles = handlesOf(blur.schedule(), blur.stage("g"));
  const auto stops = stopsOf(blur.schedule(), blur.machine(), blur.stage("g"),
                             handle(handles, HandleKind::Vector, "x"));
  const HandleStop &two = stop(stops, 2);
  ASSERT_TRUE(two.isLegal()) << two.refusal;
  EXPECT_EQ(two.block->threads.vector, 2);
  EXPECT_EQ(two.schedule->plan(blur.stage("g")).nest.loops.front().kind, LoopKind::Vectorized);
  // The loop over points goes between the threads and the vector.
  const auto after = handlesOf(*two.schedule, blur.stage("g"));
  const auto points = stopsOf(*two.schedule, blur.machine(), blur.stage("g"),
                              handle(after, HandleKind::Points, "x"));
  const HandleStop &more = stop(points, 2);
  ASSERT_TRUE(more.isLegal()) << more.refusal;
  EXPECT_EQ(more.block->threads.points(), 4);
  EXPECT_EQ(more.block->threads.tile, (std::vector<std::int64_t>{4, 1}));
}

// Each of the two thread loops has a handle with sizes of its own. Loops over points and vectors
// are inside of the inner thread loop.
TEST(BlockHandles, TwoThreadLoopsOfOneDimensionAreTwoHandles) {
  const Blocked blur(kBlur, "g split x xo xr 128 guard_with_if | split xr xt xi 32 guard_with_if | "
                            "split xo xb xz 4 guard_with_if | reorder xi xt xz xb y | "
                            "gpu_threads xi xt | gpu_blocks xb y");
  const auto handles = handlesOf(blur.schedule(), blur.stage("g"));
  ASSERT_EQ(handles.size(), 4u);
  EXPECT_EQ(handles[0], (BlockHandle{HandleKind::Threads, 0, {0, 3}, "x", 32, {}}));
  EXPECT_EQ(handles[1], (BlockHandle{HandleKind::Threads, 1, {0, 2}, "x", 4, {}}));
  EXPECT_EQ(handles[2], (BlockHandle{HandleKind::Points, 0, {0, 3}, "x", 1, {}}));
  for (const BlockHandle &one : handles) {
    const auto stops = stopsOf(blur.schedule(), blur.machine(), blur.stage("g"), one);
    const HandleStop &two = stop(stops, 2);
    ASSERT_TRUE(two.isLegal()) << two.text << ": " << two.refusal;
    const auto after = handlesOf(*two.schedule, blur.stage("g"));
    EXPECT_TRUE(std::ranges::any_of(after, [&](const BlockHandle &now) {
      return now.kind == one.kind && now.blockDim == one.blockDim && now.value == 2;
    })) << two.text;
  }
}

// The outer thread loop of f covers all that is left of the dimension. No split gives its size, so
// its handle cannot change it.
TEST(BlockHandles, ADimensionThatIsAllThreadsInTwoLoopsSaysSo) {
  const Blocked blur(kBlur, "g split x xo xi 32 guard_with_if | split xo xb xt 32 guard_with_if | "
                            "reorder xi xt xb y | gpu_threads xi xt | gpu_blocks xb y\n"
                            "f compute_at g:xb | split x fo fi 8 guard_with_if | "
                            "reorder fi fo y | gpu_threads fi fo");
  const auto handles = handlesOf(blur.schedule(), blur.stage("f"));
  ASSERT_EQ(handles.size(), 4u);
  EXPECT_EQ(handles[0].refusal, "");
  EXPECT_THAT(handles[1].refusal, HasSubstr("Split x"));
  for (const BlockHandle &one : handles)
    EXPECT_FALSE(stopsOf(blur.schedule(), blur.machine(), blur.stage("f"), one).empty());
}

TEST(BlockHandles, ADimensionThatIsAllThreadsSaysSo) {
  const Blocked blur(kBlur, "g split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | "
                            "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n"
                            "f compute_at g:xo | gpu_threads x y");
  const auto handles = handlesOf(blur.schedule(), blur.stage("f"));
  const BlockHandle &y = handle(handles, HandleKind::Threads, "y");
  EXPECT_EQ(y.value, 9);
  EXPECT_THAT(y.refusal, HasSubstr("Split y"));
  const auto stops = stopsOf(blur.schedule(), blur.machine(), blur.stage("f"), y);
  EXPECT_EQ(stops.size(), 1u);
}

TEST(BlockHandles, WhatAThreadComputesForItselfHasNone) {
  const Blocked blur(kBlur, "g split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | "
                            "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n"
                            "f compute_at g:xi");
  EXPECT_TRUE(handlesOf(blur.schedule(), blur.stage("f")).empty());
}

TEST(BlockHandles, TheNearestLegalSizeIsFoundByRatio) {
  std::vector<HandleStop> stops(4);
  for (std::size_t i = 0; i < stops.size(); ++i)
    stops[i].value = std::int64_t{1} << i;
  const Blocked blur(kBlur, kTiled);
  for (const std::size_t legal : {0U, 1U, 3U})
    stops[legal].schedule = blur.schedule();
  EXPECT_EQ(nearestLegal(stops, 3.9)->value, 2);
  EXPECT_EQ(nearestLegal(stops, 4.1)->value, 8);
  EXPECT_EQ(nearestLegal(stops, 100)->value, 8);
  EXPECT_EQ(nearestLegal(stops, -5)->value, 1);
  EXPECT_EQ(nearestLegal({}, 1), nullptr);
}

TEST(BlockHandles, AStepNamesTheNearestSizeThatItPassesOver) {
  std::vector<HandleStop> stops(6); // 1, 2, 4, 8, 16 and 32
  for (std::size_t i = 0; i < stops.size(); ++i)
    stops[i].value = std::int64_t{1} << i;
  const Blocked blur(kBlur, kTiled);
  for (const std::size_t legal : {0U, 3U})
    stops[legal].schedule = blur.schedule();
  const HandleStep down = stepFrom(8, stops, StepTo::Smaller);
  EXPECT_EQ(down.next, &stops[0]);
  EXPECT_EQ(down.refused, &stops[2]) << "4 is nearer to 8 than 2 is";
  const HandleStep up = stepFrom(1, stops, StepTo::Larger);
  EXPECT_EQ(up.next, &stops[3]);
  EXPECT_EQ(up.refused, &stops[1]);
  const HandleStep end = stepFrom(8, stops, StepTo::Larger);
  EXPECT_EQ(end.next, nullptr);
  EXPECT_EQ(end.refused, &stops[4]);
  EXPECT_EQ(stepFrom(1, stops, StepTo::Smaller).refused, nullptr);
}

} // namespace
} // namespace tessera::block
