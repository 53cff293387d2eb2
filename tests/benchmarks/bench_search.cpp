// SPDX-License-Identifier: MIT
// A whole search from the default schedule, on samples, and what it asks most often: how long the
// kernel of a group takes.

#include "engine/cost/prediction.h"
#include "engine/schedule/default_schedule.h"
#include "engine/schedule/legality.h"
#include "engine/search/algorithms.h"
#include "engine/session/open.h"
#include "tests/engine/schedule/scheduled.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace tessera;

Result<pipeline::PipelinePtr> sample(const std::string &name) {
  session::ToolSearch search;
  search.programPath = TESSERA_TEST_BIN_DIR "/tessera-cli";
  search.home = fs::temp_directory_path().string();
  session::PipelineOpener opener(session::findTools(search),
                                 std::make_shared<session::TrustStore>(std::string()));
  const auto opened = opener.open({.path = TESSERA_TEST_SHARE_DIR "/samples/" + name + ".hlpipe"});
  if (!opened) return opened.error();
  return opened->pipeline;
}

void autoOneShot(benchmark::State &state, const std::string &name) {
  const auto pipeline = sample(name);
  if (!pipeline) {
    state.SkipWithError(pipeline.error().message.c_str());
    return;
  }
  const schedule::Schedule start = schedule::defaultSchedule(*pipeline);
  const machine::Machine machine;
  std::size_t evaluations = 0;
  double seconds = 0;
  for (auto _ : state) {
    auto search = search::makeSearch("auto", {start, machine});
    while ((*search)->step())
      benchmark::DoNotOptimize(search);
    evaluations += (*search)->evaluations();
    seconds = (*search)->best().seconds;
  }
  state.counters["stages"] = static_cast<double>((*pipeline)->stages().size());
  state.counters["evaluations/s"] =
      benchmark::Counter(static_cast<double>(evaluations), benchmark::Counter::kIsRate);
  state.counters["start_ms"] = cost::predict(start, machine).milliseconds();
  state.counters["best_ms"] = seconds * 1e3;
}
BENCHMARK_CAPTURE(autoOneShot, harris, "harris")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(autoOneShot, local_laplacian, "local_laplacian")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(autoOneShot, synthetic100, "synthetic100")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(autoOneShot, synthetic1000, "synthetic1000")->Unit(benchmark::kMillisecond);

std::string name(int f) { return f < 0 ? "in" : "f" + std::to_string(f); }

// Rows of three, and a point of the one before that; all in the blocks of the last.
schedule::Schedule groupOf(int stages) {
  std::string pipeline = "input in 4096 4096\n", directives;
  for (int f = 0; f < stages; ++f) {
    pipeline += "func " + name(f) + "(x y) 4096 4096 = " + name(f - 1) + "(x; y+[-1,1]) " +
                name(f < 2 ? -1 : f - 2) + "(x; y)\n";
    directives += name(f);
    directives += f + 1 < stages
                      ? " compute_at " + name(stages - 1) + ":xo | gpu_threads x y\n"
                      : " split x xo xi 32 shift_inwards | split y yo yi 8 shift_inwards | "
                        "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";
  }
  return schedule::testing::scheduled(pipeline + "output " + name(stages - 1) + "\n", directives);
}

void glanceAtAGroup(benchmark::State &state) {
  const schedule::Schedule schedule = groupOf(static_cast<int>(state.range(0)));
  const machine::Machine machine;
  if (const auto wrong = schedule::check(schedule, machine); !wrong.empty()) {
    state.SkipWithError(wrong.front().message.c_str());
    return;
  }
  std::vector<pipeline::FuncId> funcs;
  for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f)
    funcs.push_back(pipeline::FuncId{f});
  const double fromDram = cost::fromDramOf(schedule, machine);
  for (auto _ : state)
    benchmark::DoNotOptimize(cost::glanceAt(schedule, funcs, machine, fromDram));
  state.counters["evaluations/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(glanceAtAGroup)->Arg(1)->Arg(10)->Unit(benchmark::kMicrosecond);

} // namespace
