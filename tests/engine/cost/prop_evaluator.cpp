// SPDX-License-Identifier: MIT
// Whatever an evaluator or a predictor has predicted before, it gives the same numbers as a new
// prediction.
#include "engine/cost/evaluator.h"
#include "engine/cost/predictor.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/edits/edits.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_schedule.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace tessera::cost {
namespace {

using pipeline::FuncId;
using pipeline::StageId;
using schedule::FuncPlan;
using schedule::Schedule;
using schedule::testing::Random;

constexpr std::uint64_t kSeeds = 120;
constexpr int kSteps = 40;

// Returns every number of a prediction once.
std::vector<double> numbersOf(const Prediction &prediction) {
  std::vector<double> numbers{prediction.seconds, prediction.fromDram};
  for (const Prediction::Kernel &kernel : prediction.kernels) {
    const KernelLoad &load = kernel.load;
    const KernelTime &time = kernel.time;
    const auto add = [&](auto... values) { (numbers.push_back(static_cast<double>(values)), ...); };
    add(load.stage, load.launches, load.blocks, load.blockThreads[0], load.blockThreads[1],
        load.blockThreads[2], load.sharedBytes, load.dramBytes, load.stages.size());
    for (const StageLoad &stage : load.stages)
      add(stage.stage, stage.depth, stage.threads, stage.warps, stage.bodies, stage.points,
          stage.arithmetic.fp32, stage.arithmetic.fp64, stage.arithmetic.fp16,
          stage.arithmetic.integer, stage.arithmetic.products, stage.arithmetic.special, stage.rows,
          stage.scattered, stage.loads, stage.stores, stage.sharedAccesses, stage.localAccesses,
          stage.lines, stage.sharedPasses, stage.cacheBytes, stage.l2Bytes, stage.storeBytes,
          stage.missing, stage.turns, stage.atomics, stage.adders, stage.conflicts, stage.places,
          stage.retries, stage.chained, stage.forwarded, stage.together, stage.guarded,
          stage.barriers, stage.held, stage.live, stage.dramBytes);
    add(time.seconds, time.limiter, time.registers, time.spilled, time.occupancy.blocks,
        time.occupancy.warps, time.occupancy.fraction, time.occupancy.limiting, time.waves);
    numbers.insert(numbers.end(), time.parts.begin(), time.parts.end());
    for (const std::int64_t limit : time.occupancy.blockLimit)
      add(limit);
  }
  return numbers;
}

void expectSame(const Prediction &kept, const Prediction &fresh) {
  constexpr double kRounding = 1e-12;
  const std::vector<double> a = numbersOf(kept), b = numbersOf(fresh);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], kRounding * std::abs(b[i])) << "number " << i;
}

// Returns a legal schedule in which one decision and those that follow from it are changed. Returns
// nothing after some failed tries.
std::optional<Schedule> changed(const Schedule &schedule, Random &random) {
  constexpr int kTries = 8;
  const std::size_t stages = schedule.pipeline()->stages().size();
  for (int tries = 0; tries < kTries; ++tries) {
    const auto wanted = proposals(schedule, static_cast<StageId>(random() % stages));
    if (wanted.empty()) continue;
    Schedule after = schedule::testing::withEdit(schedule, wanted[random() % wanted.size()],
                                                 schedule::Origin::Search);
    if (isLegal(after, {})) return after;
  }
  return std::nullopt;
}

// If two nests differ only in factors of their splits, returns the loops whose factors differ.
// Returns nothing if they differ in anything else.
std::optional<std::vector<schedule::LoopRef>> otherFactors(const FuncPlan &from,
                                                           const FuncPlan &to) {
  FuncPlan same = from;
  std::vector<schedule::LoopRef> others;
  auto &axes = same.stages.front().nest.axes;
  const auto &wanted = to.stages.front().nest.axes;
  if (axes.size() != wanted.size()) return std::nullopt;
  for (std::uint16_t a = 0; a < axes.size(); ++a)
    for (std::uint16_t s = 0; s < axes[a].splits.size() && s < wanted[a].splits.size(); ++s) {
      if (axes[a].splits[s].factor == wanted[a].splits[s].factor) continue;
      axes[a].splits[s].factor = wanted[a].splits[s].factor;
      others.push_back({a, s});
    }
  if (same != to) return std::nullopt;
  return others;
}

// Tells an evaluator about everything that differs in a schedule.
void tell(Evaluator &evaluator, const Schedule &now) {
  for (std::uint32_t f = 0; f < now.pipeline()->funcs().size(); ++f) {
    const FuncId func{f};
    const FuncPlan &plan = now.plan(func);
    if (evaluator.schedule().plan(func) == plan) continue;
    if (const auto factors = otherFactors(evaluator.schedule().plan(func), plan)) {
      const StageId stage = now.pipeline()->func(func).firstStage;
      for (const schedule::LoopRef cut : *factors)
        evaluator.setFactor(stage, cut,
                            plan.stages.front().nest.axes[cut.axis].splits[cut.part].factor);
    } else {
      evaluator.set(func, plan);
    }
  }
  evaluator.setRegisterCap(now.settings().registerCap);
}

TEST(PropPredictor, OneScheduleAfterAnotherAsFromNothing) {
  const machine::Machine machine;
  Predictor predictor(machine);
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Random random(seed);
    const std::string text = schedule::testing::randomSketch(random, 2 + random() % 7);
    const pipeline::PipelinePtr pipeline = pipeline::test::sketch(text);
    for (int schedules = 0; schedules < 4; ++schedules) {
      const Schedule schedule = schedule::testing::randomSchedule(pipeline, machine, random);
      SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text + "\n" +
                   schedule::testing::loweredText(schedule));
      expectSame(predictor.predict(schedule), predict(schedule, machine));
    }
  }
}

TEST(PropEvaluator, AfterEachChangeAsFromNothing) {
  const machine::Machine machine;
  int changes = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Random random(seed);
    const std::string text = schedule::testing::randomSketch(random, 2 + random() % 7);
    Schedule schedule =
        schedule::testing::randomSchedule(pipeline::test::sketch(text), machine, random);
    Evaluator evaluator(schedule, machine);
    expectSame(evaluator.prediction(), predict(schedule, machine));
    for (int step = 0; step < kSteps; ++step) {
      auto after = changed(schedule, random);
      if (!after) continue;
      if (random() % 8 == 0) {
        schedule::Settings settings = after->settings();
        settings.registerCap = 32 << random() % 4;
        after->set(std::move(settings));
      }
      const std::string before = schedule::testing::loweredText(schedule);
      schedule = std::move(*after);
      tell(evaluator, schedule);
      ASSERT_TRUE(evaluator.schedule() == schedule);
      SCOPED_TRACE("seed " + std::to_string(seed) + " step " + std::to_string(step) + "\n" + text +
                   "\nfrom\n" + before + "\nto\n" + schedule::testing::loweredText(schedule));
      expectSame(evaluator.prediction(), predict(schedule, machine));
      if (::testing::Test::HasFailure()) return;
      ++changes;
    }
  }
  EXPECT_GT(changes, 1000);
}

// Returns the funcs of one or more random kernels.
std::vector<FuncId> someKernels(const Schedule &schedule, Random &random) {
  const schedule::Bounds bounds(schedule);
  std::vector<FuncId> funcs;
  const std::size_t parts = 1 + random() % 3;
  for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
    const FuncId func{f};
    const FuncId output = bounds.of(func).kernel;
    if (!schedule.plan(func).isInline() && index(output) % parts == 0) funcs.push_back(func);
  }
  return funcs;
}

// One evaluator is moved between random schedules, for different kernels and different pipelines.
// It has to predict the same as a new evaluator.
TEST(PropEvaluator, WhereverItIsSentAsFromNothing) {
  const machine::Machine machine;
  std::optional<Evaluator> sent;
  std::size_t kernels = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Random random(seed);
    const auto pipeline = pipeline::test::sketch(schedule::testing::randomSketch(random, 6));
    for (int step = 0; step < kSteps / 4; ++step) {
      const Schedule schedule = schedule::testing::randomSchedule(pipeline, machine, random);
      const std::vector<FuncId> funcs = someKernels(schedule, random);
      const double fromDram = fromDramOf(schedule, machine);
      if (!sent) sent.emplace(schedule, machine);
      sent->moveTo(schedule, funcs, fromDram);
      Evaluator fresh(schedule, funcs, machine, fromDram);
      SCOPED_TRACE("seed " + std::to_string(seed) + " step " + std::to_string(step));
      expectSame(sent->prediction(), fresh.prediction());
      if (::testing::Test::HasFailure()) return;
      kernels += sent->prediction().kernels.size();
    }
  }
  EXPECT_GT(kernels, 1000u);
}

// e keeps its loops and its place, but shares its loads with its neighbour f only while both are in
// the thread.
TEST(PropEvaluator, AStageWhoseNeighbourInTheThreadLoadsElsewhere) {
  const auto pair = [](const std::string &placeOfF) {
    return schedule::testing::scheduled(
        "input in 66 66\n"
        "func e(x y) 66 64 = in(x; y) in(x; y+1) in(x; y+2)\n"
        "func f(x y) 66 64 = in(x; y+1) in(x; y+2)\n"
        "func g(x y) 64 64 = e(x; y) f(x; y)\noutput g\n",
        "g split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | reorder xi yi xo yo | "
        "gpu_threads xi yi | gpu_blocks xo yo\ne compute_at g:xi\nf " +
            placeOfF);
  };
  const machine::Machine machine;
  const Schedule together = pair("compute_at g:xi");
  const Schedule apart = pair("compute_root | gpu_blocks x y");
  Evaluator evaluator(together, machine);
  for (const Schedule *now : {&together, &apart, &together}) {
    tell(evaluator, *now);
    expectSame(evaluator.prediction(), predict(*now, machine));
  }
}

} // namespace
} // namespace tessera::cost
