// SPDX-License-Identifier: MIT
// A prediction leaves out extern stages, and says so.
#include "engine/cost/evaluator.h"
#include "engine/cost/prediction.h"
#include "engine/cost/roofline/floor.h"
#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using machine::Machine;
using schedule::Schedule;

const std::string kBefore = "input in 512 512\nfunc a(x y) 512 512 = in(x; y)\n";
const std::string kAfter = "func c(x y) 512 512 sine = e(x; y)\noutput c\n";

Schedule aroundExtern() {
  return schedule::defaultSchedule(
      pipeline::test::sketch(kBefore + "func e(x y) 512 512 extern = a(?; ?)\n" + kAfter));
}

TEST(ExternTimes, AreInNoKernelAndNotInTheTotal) {
  const Schedule schedule = aroundExtern();
  const Prediction prediction = predict(schedule, Machine{});
  ASSERT_EQ(prediction.kernels.size(), 2u);
  EXPECT_EQ(prediction.kernels[0].load.stage, schedule::testing::stageOf(schedule, "a"));
  EXPECT_EQ(prediction.kernels[1].load.stage, schedule::testing::stageOf(schedule, "c"));
  EXPECT_DOUBLE_EQ(prediction.seconds,
                   prediction.kernels[0].time.seconds + prediction.kernels[1].time.seconds);
  EXPECT_GT(floorOf(*schedule.pipeline(), Machine{}).bytes, 0);
}

TEST(ExternTimes, AreSaidToBeUnknown) {
  EXPECT_EQ(unknownTimes(*aroundExtern().pipeline()),
            "without the extern stage e: how long its function takes, and copies between host and "
            "GPU around it, is not known");
  EXPECT_EQ(unknownTimes(*pipeline::test::sketch(
                kBefore + "func e(x y) 512 512 extern = a(?; ?)\n"
                          "func f(x y) 512 512 extern = e(?; ?)\noutput f\n")),
            "without the extern stages e, f: how long their functions take, and copies between "
            "host and GPU around them, is not known");
  EXPECT_EQ(unknownTimes(*pipeline::test::sketch(kBefore + "output a\n")), "");
}

// An evaluator knows runs of stages, and an extern stage has none.
TEST(ExternTimes, AWalkPredictsAsOneFromNothing) {
  Schedule schedule = aroundExtern();
  const Machine machine;
  Evaluator evaluator(schedule, machine);
  for (const char *name : {"a", "c"}) {
    const auto edits =
        schedule::edits(schedule, schedule::testing::stageOf(schedule, name), machine);
    ASSERT_FALSE(edits.empty()) << name;
    schedule.set(edits.front().decision.func, edits.front().plan);
    evaluator.set(edits.front().decision.func, edits.front().plan);
    EXPECT_DOUBLE_EQ(evaluator.prediction().seconds, predict(schedule, machine).seconds) << name;
  }
}

// A func whose output is copied by the host, tile by tile: the extern stage has loops around the
// kernels of what it reads, and around another extern stage.
const std::string kTiled = "input in 512 512\n"
                           "func f(x y) 512 512 extern = in(?; ?)\n"
                           "func a(x y) 512 512 = f(x; y)\n"
                           "func e(x y) 512 512 extern = a(?; ?)\n"
                           "output e\n";
const std::string kExternTiles =
    "e split x xo xi 64 round_up | split y yo yi 32 round_up | reorder xi yi xo yo\n";

TEST(ExternTimes, WhatIsComputedInItsLoopsIsLaunchedInEach) {
  const Schedule schedule = schedule::testing::scheduled(
      kTiled, kExternTiles +
                  "f compute_at e:xo | store_in registers\n"
                  "a compute_at e:xo | split x xo xi 16 round_up | split y yo yi 8 round_up | "
                  "reorder xi yi xo yo | gpu_blocks xo yo | gpu_threads xi yi\n");
  const Prediction prediction = predict(schedule, Machine{});
  ASSERT_EQ(prediction.kernels.size(), 1u);
  EXPECT_EQ(prediction.kernels[0].load.stage, schedule::testing::stageOf(schedule, "a"));
  EXPECT_DOUBLE_EQ(prediction.kernels[0].load.launches, 512 / 64 * (512 / 32));
  EXPECT_DOUBLE_EQ(prediction.kernels[0].load.blocks, 512 / 16 * (512 / 8)); // all that e needs
}

TEST(ExternTimes, ItsLoopsMayChangeAroundOthers) {
  const Schedule schedule =
      schedule::testing::scheduled(kTiled, kExternTiles + "f compute_root\na compute_at e:xo\n");
  const Machine machine;
  Evaluator evaluator(schedule, machine);
  const double launches = evaluator.prediction().kernels[0].load.launches;
  evaluator.setFactor(schedule::testing::stageOf(schedule, "e"), {.axis = 0, .part = 0}, 128);
  EXPECT_DOUBLE_EQ(evaluator.prediction().kernels[0].load.launches, launches / 2);
}

} // namespace
} // namespace tessera::cost
