// SPDX-License-Identifier: MIT
// Measures a whole search from the default schedule of samples, a second search around a decision
// that the user overrode, and how the beam search grows with the stages of a chain.

#include "engine/cost/prediction.h"
#include "engine/open/open.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/edits/edits.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/algorithms.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/support/build_paths.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace tessera;

Result<pipeline::PipelinePtr> sample(const std::string &name) {
  host::ToolSearch search;
  search.programPath = tessera::test::binPath("tessera-cli");
  search.home = fs::temp_directory_path().string();
  open::PipelineOpener opener(host::findTools(search),
                              std::make_shared<host::TrustStore>(std::string()));
  const auto opened =
      opener.open({.path = tessera::test::sharePath("samples/" + name + ".hlpipe")});
  if (!opened) return opened.error();
  return opened->pipeline;
}

search::Candidate found(search::Problem problem) {
  auto search = search::makeSearch("auto", std::move(problem));
  while ((*search)->step()) {
  }
  return (*search)->best();
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

// A chain of stencils of 3 × 3 points, whose result has 1536 × 2560.
pipeline::PipelinePtr stencilChain(std::size_t stages) {
  const auto rowOf = [](const std::string &func, int row) {
    std::string loads;
    for (int x = 0; x < 3; ++x)
      loads += " " + func + "(x+" + std::to_string(x) + "; y+" + std::to_string(row) + ")";
    return loads;
  };
  const auto sizeBefore = [&](std::size_t stage) {
    return std::to_string(1536 + 2 * (stages - stage)) + " " +
           std::to_string(2560 + 2 * (stages - stage));
  };
  std::string text = "input f0 " + sizeBefore(0) + "\n";
  for (std::size_t s = 1; s <= stages; ++s) {
    const std::string before = "f" + std::to_string(s - 1);
    text += "func f" + std::to_string(s) + "(x y) " + sizeBefore(s) + " =" + rowOf(before, 0) +
            rowOf(before, 1) + rowOf(before, 2) + "\n";
  }
  return pipeline::test::sketch(text + "output f" + std::to_string(stages) + "\n");
}

// One sample of the beam search of Anderson et al. 2021, whose time has to grow by less than the
// square of the stages.
void beamSample(benchmark::State &state) {
  const auto pipeline = stencilChain(static_cast<std::size_t>(state.range(0)));
  const schedule::Schedule start = schedule::defaultSchedule(pipeline);
  search::Problem problem{start, machine::Machine()};
  problem.parameters = {{"SAMPLES", 1}};
  std::size_t evaluations = 0;
  double seconds = 0;
  for (auto _ : state) {
    const auto search = search::makeSearch("beam", problem);
    while ((*search)->step())
      benchmark::DoNotOptimize(search);
    evaluations += (*search)->evaluations();
    seconds = (*search)->best().seconds;
  }
  state.SetComplexityN(state.range(0));
  state.counters["evaluations/s"] =
      benchmark::Counter(static_cast<double>(evaluations), benchmark::Counter::kIsRate);
  state.counters["best_ms"] = seconds * 1e3;
}
BENCHMARK(beamSample)
    ->Arg(12)
    ->Arg(25)
    ->Arg(50)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

// Returns a problem for each computed stage, in which the factors of that stage are overridden and
// frozen.
std::vector<search::Problem> overriddenOnce(const schedule::Schedule &schedule,
                                            const machine::Machine &machine) {
  std::vector<search::Problem> problems;
  for (std::size_t s = 0; s < schedule.pipeline()->stages().size(); ++s) {
    auto edits = schedule::edits(schedule, static_cast<pipeline::StageId>(s), machine);
    std::erase_if(edits, [](const schedule::Edit &one) {
      return one.decision.kind != schedule::DecisionKind::Factors;
    });
    if (edits.empty()) continue;
    const schedule::Edit &edit = edits[edits.size() / 2];
    schedule::Schedule start = schedule::testing::withEdit(schedule, edit);
    start.setMark(edit.decision, {schedule::Origin::User, true});
    search::Problem problem{std::move(start), machine};
    problem.around = {edit.decision.func};
    problems.push_back(std::move(problem));
  }
  return problems;
}

enum class Scope { Near, Whole };

// Measures the search after one override in the result of auto.
void searchAgain(benchmark::State &state, const std::string &name, Scope scope) {
  const auto pipeline = sample(name);
  if (!pipeline) {
    state.SkipWithError(pipeline.error().message.c_str());
    return;
  }
  const machine::Machine machine;
  const search::Candidate before = found({schedule::defaultSchedule(*pipeline), machine});
  std::vector<search::Problem> problems = overriddenOnce(before.schedule, machine);
  if (problems.empty()) {
    state.SkipWithError("nothing to override");
    return;
  }
  if (scope == Scope::Whole)
    for (search::Problem &problem : problems)
      problem.around.clear();
  std::size_t next = 0;
  double slowest = 0, seconds = 0;
  for (auto _ : state) {
    // CPU time, because other programs may use this machine.
    const std::clock_t begin = std::clock();
    const search::Candidate after = found(problems[next++ % problems.size()]);
    slowest = std::max(slowest, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    seconds += after.seconds;
  }
  state.counters["overrides"] = static_cast<double>(problems.size());
  state.counters["slowest_ms"] = slowest * 1e3;
  state.counters["before_ms"] = before.seconds * 1e3;
  state.counters["best_ms"] = seconds / static_cast<double>(next) * 1e3;
}
BENCHMARK_CAPTURE(searchAgain, near_harris, "harris", Scope::Near)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchAgain, near_local_laplacian, "local_laplacian", Scope::Near)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchAgain, near_synthetic100, "synthetic100", Scope::Near)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchAgain, whole_local_laplacian, "local_laplacian", Scope::Whole)
    ->Unit(benchmark::kMillisecond);

} // namespace
