// SPDX-License-Identifier: MIT
#include "engine/cost/prediction.h"

#include "engine/cost/evaluator.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using machine::Machine;
using pipeline::FuncId;
using schedule::Schedule;
using schedule::testing::scheduled;

const std::string kTiles = " split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | "
                           "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";

Schedule blur(const std::string &size, const std::string &directives) {
  return scheduled("func f(x y) " + size + " " + size +
                       " sine = \n"
                       "func g(x y) " +
                       size + " " + size + " = f(x-1; y) f(x; y) f(x+1; y)\noutput g\n",
                   directives);
}
const std::string kTwoKernels = "f" + kTiles + "f compute_root\ng" + kTiles;

TEST(Prediction, KernelsComeInTheOrderOfTheirLaunches) {
  const Schedule schedule = blur("1024", kTwoKernels);
  const Prediction prediction = predict(schedule, Machine{});
  ASSERT_EQ(prediction.kernels.size(), 2u);
  EXPECT_EQ(schedule.pipeline()->stageName(prediction.kernels[0].load.stage), "f");
  EXPECT_EQ(schedule.pipeline()->stageName(prediction.kernels[1].load.stage), "g");
  EXPECT_DOUBLE_EQ(prediction.seconds,
                   prediction.kernels[0].time.seconds + prediction.kernels[1].time.seconds);
  EXPECT_DOUBLE_EQ(prediction.milliseconds(), 1e3 * prediction.seconds);
}

TEST(Prediction, WhatASearchAsksIsThePartOfAKernel) {
  const Schedule schedule = blur("1024", kTwoKernels);
  const Machine machine;
  const Prediction whole = predict(schedule, machine);
  const std::vector<FuncId> f{FuncId{0}}, g{FuncId{1}}, both{FuncId{0}, FuncId{1}};
  const auto seconds = [&](const std::vector<FuncId> &funcs) {
    return glanceOf(Evaluator(schedule, funcs, machine, whole.fromDram).prediction()).seconds;
  };
  EXPECT_DOUBLE_EQ(seconds(f), whole.kernels[0].time.seconds);
  // With `g`, only the kernel of g is predicted, although it reads f.
  EXPECT_DOUBLE_EQ(seconds(g), whole.kernels[1].time.seconds);
  EXPECT_DOUBLE_EQ(seconds(both), whole.seconds);
}

TEST(Prediction, WhatARunTouchesStaysInTheSecondLevelCacheWhereItFits) {
  Machine machine;
  machine.memory.l2Bytes = 8 * 1024 * 1024;
  // f and g have 1024 * 1024 floats, 4 MiB each; together they are as large as the cache, so by the
  // model, half of the traffic misses it.
  EXPECT_DOUBLE_EQ(fromDramOf(blur("1024", kTwoKernels), machine), 0.5);
  EXPECT_EQ(fromDramOf(blur("512", kTwoKernels), machine), 0);
  EXPECT_EQ(fromDramOf(blur("2048", kTwoKernels), machine), 1);
  // An inlined f is never stored.
  EXPECT_EQ(fromDramOf(blur("1024", "g" + kTiles), machine), 0);
  EXPECT_DOUBLE_EQ(predict(blur("1024", kTwoKernels), machine).fromDram, 0.5);
}

TEST(Prediction, InliningTradesAKernelForWork) {
  const Prediction inlined = predict(blur("1024", "g" + kTiles), Machine{});
  const Prediction apart = predict(blur("1024", kTwoKernels), Machine{});
  ASSERT_EQ(inlined.kernels.size(), 1u);
  // The inlined kernel computes three square roots per point instead of one.
  EXPECT_DOUBLE_EQ(inlined.kernels[0].time.part(Limiter::Special),
                   3 * apart.kernels[0].time.part(Limiter::Special));
  EXPECT_EQ(apart.kernels[1].time.part(Limiter::Special), 0);
}

TEST(Prediction, NeighboursInARowAreFasterThanInAColumn) {
  const std::string tiles = "g split x xo xi 32 guard_with_if | split y yo yi 32 guard_with_if | ";
  const Prediction column =
      predict(blur("4096", tiles + "reorder yi xi xo yo | gpu_threads yi xi | gpu_blocks xo yo"),
              Machine{});
  const Prediction row =
      predict(blur("4096", tiles + "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo"),
              Machine{});
  EXPECT_GT(column.seconds, 1.25 * row.seconds);
  // Each stored float takes a sector of its own, which could hold eight.
  EXPECT_DOUBLE_EQ(column.kernels[0].time.part(Limiter::L2),
                   8 * row.kernels[0].time.part(Limiter::L2));
}

TEST(Prediction, TheRegisterCapIsThatOfTheSchedule) {
  Schedule schedule = blur("1024", kTwoKernels);
  schedule::Settings settings = schedule.settings();
  settings.registerCap = 16;
  schedule.set(settings);
  for (const Prediction::Kernel &kernel : predict(schedule, Machine{}).kernels)
    EXPECT_EQ(kernel.time.registers, 16);
}

} // namespace
} // namespace tessera::cost
