// SPDX-License-Identifier: MIT
// Measures what a search does for every candidate: copy, edit, hash, check. The pipeline is
// synthetic and has groups of four stages, three of them computed in the blocks of the fourth.

#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/edits/edits.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

namespace {

using namespace tessera;
using namespace tessera::schedule;

constexpr int kGroup = 4;

std::string name(int f) { return f < 0 ? "in" : "f" + std::to_string(f); }

// Each stage is a 3×3 stencil of the stage before it and reads a point of the one before that.
pipeline::PipelinePtr stencils(int stages) {
  std::string text = "input in 4096 4096\n";
  for (int f = 0; f < stages; ++f)
    text += "func " + name(f) + "(x y) 4096 4096 = " + name(f - 1) + "(x+[-1,1]; y+[-1,1]) " +
            name(std::max(f - 2, f / kGroup * kGroup - 1)) + "(x; y)\n";
  return pipeline::test::sketch(text + "output " + name(stages - 1) + "\n");
}

Schedule fusedInGroups(int stages) {
  std::string text;
  for (int f = stages - 1; f >= 0; --f) {
    const int root = std::min(f / kGroup * kGroup + kGroup, stages) - 1;
    if (f == root)
      text += name(f) + (f + 1 < stages ? " compute_root |" : "") +
              " split x xo xi 16 shift_inwards | split y yo yi 16 shift_inwards |"
              "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";
    else
      text += name(f) + " compute_at " + name(root) + ":xo | gpu_threads x y\n";
  }
  return testing::scheduled(stencils(stages), text);
}

void legality(benchmark::State &state) {
  const Schedule schedule = fusedInGroups(static_cast<int>(state.range(0)));
  const machine::Machine machine;
  for (auto _ : state) {
    const bool legal = isLegal(schedule, machine);
    if (!legal) state.SkipWithError(check(schedule, machine).front().message.c_str());
    benchmark::DoNotOptimize(legal);
  }
}
BENCHMARK(legality)->Arg(4)->Arg(20)->Arg(100)->Unit(benchmark::kMicrosecond);

void bounds(benchmark::State &state) {
  const Schedule schedule = fusedInGroups(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const Bounds measured(schedule);
    benchmark::DoNotOptimize(&measured);
  }
}
BENCHMARK(bounds)->Arg(100)->Unit(benchmark::kMicrosecond);

void copyEditAndHash(benchmark::State &state) {
  const Schedule schedule = fusedInGroups(static_cast<int>(state.range(0)));
  const auto func = static_cast<pipeline::FuncId>(state.range(0) / 2);
  FuncPlan plan = schedule.plan(func);
  plan.storage = Storage::Global;
  for (auto _ : state) {
    Schedule copy = schedule;
    copy.set(func, plan);
    benchmark::DoNotOptimize(copy.hash());
  }
}
BENCHMARK(copyEditAndHash)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);

void bucketHash(benchmark::State &state) {
  const Schedule schedule = fusedInGroups(100);
  for (auto _ : state)
    benchmark::DoNotOptimize(schedule.hash(static_cast<int>(state.range(0))));
}
BENCHMARK(bucketHash)->DenseRange(0, 5)->Unit(benchmark::kMicrosecond);

void proposalsOfAStage(benchmark::State &state) {
  const Schedule schedule = fusedInGroups(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const auto found = proposals(schedule, pipeline::StageId{2});
    state.counters["proposals"] = static_cast<double>(found.size());
  }
}
BENCHMARK(proposalsOfAStage)->Arg(4)->Arg(100)->Unit(benchmark::kMicrosecond);

void editsOfAStage(benchmark::State &state) {
  const Schedule schedule = fusedInGroups(static_cast<int>(state.range(0)));
  const machine::Machine machine;
  for (auto _ : state) {
    const auto found = edits(schedule, pipeline::StageId{2}, machine);
    state.counters["edits"] = static_cast<double>(found.size());
  }
}
BENCHMARK(editsOfAStage)->Arg(4)->Arg(100)->Unit(benchmark::kMicrosecond);

} // namespace
