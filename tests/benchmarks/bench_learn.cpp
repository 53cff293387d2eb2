// SPDX-License-Identifier: MIT
// Measures how many schedules a second the learned cost model evaluates: the network alone, and
// with the features of each schedule.

#include "engine/learn/algorithm_features.h"
#include "engine/learn/cost_model.h"
#include "tests/engine/schedule/scheduled.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using schedule::Schedule;

std::string name(int f) { return f < 0 ? "in" : "f" + std::to_string(f); }

// Each func reads three rows of the one before, and is computed in the blocks of the last.
Schedule groupOf(int stages) {
  std::string pipeline = "input in 4096 4096\n", directives;
  for (int f = 0; f < stages; ++f) {
    pipeline += "func " + name(f) + "(x y) 4096 4096 = " + name(f - 1) + "(x; y+[-1,1])\n";
    directives += name(f);
    directives += f + 1 < stages
                      ? " compute_at " + name(stages - 1) + ":xo | gpu_threads x y\n"
                      : " split x xo xi 32 shift_inwards | split y yo yi 8 shift_inwards | "
                        "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";
  }
  return schedule::testing::scheduled(pipeline + "output " + name(stages - 1) + "\n", directives);
}

void networkAlone(benchmark::State &state) {
  const Schedule schedule = groupOf(static_cast<int>(state.range(0)));
  const machine::Machine machine;
  const learn::Network network(learn::randomWeights(1));
  const auto embeddings = network.embed(learn::algorithmFeatures(*schedule.pipeline()));
  const auto stages = learn::scheduleFeatures(schedule, machine);
  for (auto _ : state)
    benchmark::DoNotOptimize(network.costs(embeddings, stages, machine.multiprocessors));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(networkAlone)->Arg(3)->Arg(10);

void featuresAndNetwork(benchmark::State &state) {
  const Schedule schedule = groupOf(static_cast<int>(state.range(0)));
  learn::CostModel model(learn::randomWeights(1), machine::Machine());
  for (auto _ : state)
    benchmark::DoNotOptimize(model.milliseconds(schedule));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(featuresAndNetwork)->Arg(1)->Arg(3)->Arg(10);

} // namespace
