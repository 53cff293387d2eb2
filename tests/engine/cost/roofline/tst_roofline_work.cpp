// SPDX-License-Identifier: MIT
#include "engine/cost/roofline/roofline_work.h"

#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace tessera::cost {
namespace {

using machine::Machine;
using pipeline::OpCount;
using pipeline::OpKind;
using pipeline::ScalarType;
using pipeline::TypeKind;
using schedule::Schedule;
using schedule::testing::scheduled;

constexpr ScalarType kSingle{TypeKind::Float, 32}, kInteger{TypeKind::Int, 32};

// Each of 4096 blocks of 32 * 8 threads computes 256 of 1024 * 1024 values, from three elements
// each.
Schedule summing(const std::vector<OpCount> &operations = {{OpKind::Add, kSingle, 2}}) {
  auto parts = pipeline::test::sketchParts("input i 1026 1024\n"
                                           "func g(x y) 1024 1024 = i(x+[0,2]; y)\noutput g\n");
  parts.stages.at(0).operations = operations;
  return scheduled(pipeline::Pipeline::create(std::move(parts)).value(),
                   "g split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | "
                   "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n");
}

TEST(RooflineWork, APredictionHasOperationsAndBytesOfEveryLevel) {
  const Schedule schedule = summing();
  Machine machine;
  machine.memory.l2Bytes = 1024; // too small to keep anything
  const Prediction prediction = predict(schedule, machine);
  const Work work = worksOf(prediction, schedule, machine).at(0);
  EXPECT_EQ(work.name, "g");
  EXPECT_EQ(work.origin, Origin::Predicted);
  EXPECT_EQ(work.seconds, prediction.kernels[0].time.seconds);
  EXPECT_DOUBLE_EQ(work.operations.fp32, 2.0 * 1024 * 1024);
  EXPECT_EQ(work.operations.fp64, 0);
  EXPECT_GT(work.operations.integer, 2.0 * 1024 * 1024); // address computations included
  // Each byte of the input is read once, and each float of the output is written once.
  EXPECT_DOUBLE_EQ(work.traffic.dram.value(), 1024.0 * (1026 + 4 * 1024));
  EXPECT_GE(work.traffic.l2.value(), work.traffic.dram.value());
  // A warp stores 128 bytes, and loads one or two sectors of 32 bytes of the input.
  EXPECT_GE(work.traffic.l1.value(), 5.0 * 1024 * 1024);
  EXPECT_LE(work.traffic.l1.value(), 6.0 * 1024 * 1024);
  EXPECT_EQ(work.traffic.shared.value(), 0);
}

TEST(RooflineWork, AFusedMultiplyAddIsTwoOperations) {
  const Schedule schedule = summing({{OpKind::Add, kSingle, 2}, {OpKind::Multiply, kSingle, 2}});
  const Prediction prediction = predict(schedule, Machine{});
  // `arithmetic` counts instructions, and a fused multiply-add is one instruction.
  EXPECT_LT(prediction.kernels.at(0).load.stages.at(0).arithmetic.fp32, 4);
  const Work work = worksOf(prediction, schedule, Machine{}).at(0);
  EXPECT_DOUBLE_EQ(work.operations.fp32, 4.0 * 1024 * 1024);
}

TEST(RooflineWork, WhatFitsIntoTheSecondLevelCacheTakesNothingFromDeviceMemory) {
  const Schedule schedule = summing();
  const Prediction prediction = predict(schedule, Machine{}); // 8 MB of traffic in a cache of 60 MB
  const Work work = worksOf(prediction, schedule, Machine{}).at(0);
  EXPECT_EQ(work.traffic.dram.value(), 0);
}

TEST(RooflineWork, CompiledCodeTellsWhatThreadsAskForAndNoMore) {
  report::KernelReport kernel;
  kernel.name = "k0_f";
  kernel.operations = {{OpKind::Add, kSingle, 100},
                       {OpKind::Multiply, kSingle, 60},
                       {OpKind::Add, {TypeKind::Float, 64}, 7},
                       {OpKind::Compare, kInteger, 30}};
  kernel.global = {10, 5, 400, 200, 0};
  kernel.shared = {3, 2, 12, 8, 0};
  kernel.local = {1, 1, 4, 4, 0};
  const Work work = workOf(kernel, 2e-6);
  EXPECT_EQ(work.name, "k0_f");
  EXPECT_EQ(work.origin, Origin::Static);
  EXPECT_EQ(work.seconds, 2e-6);
  EXPECT_DOUBLE_EQ(work.operations.fp32, 160);
  EXPECT_DOUBLE_EQ(work.operations.fp64, 7);
  EXPECT_DOUBLE_EQ(work.operations.integer, 30);
  EXPECT_EQ(work.traffic, (Traffic{{}, {}, 600, 20}));
  kernel.stages = {{"f", 2}, {"g", 0}};
  EXPECT_EQ(workOf(kernel, 0).name, "f.update(1)"); // the same name as in a prediction
}

TEST(RooflineWork, APipelineIsTheSumOfItsKernels) {
  const Schedule schedule = summing();
  const Prediction prediction = predict(schedule, Machine{});
  const Roofline placed = rooflineOf(prediction, schedule, Machine{}, ceilingsOf(Machine{}));
  ASSERT_EQ(placed.kernels.size(), 1U);
  ASSERT_EQ(placed.pipelines.size(), 1U);
  EXPECT_EQ(placed.pipelines[0].work.seconds, prediction.seconds);
  EXPECT_EQ(placed.pipelines[0].work.traffic, placed.kernels[0].work.traffic);
  EXPECT_EQ(placed.kernels[0].work.operations, placed.pipelines[0].work.operations);
  EXPECT_GT(placed.timesFloor(placed.pipelines[0]).value(), 1);
}

} // namespace
} // namespace tessera::cost
