// SPDX-License-Identifier: MIT
// Measures the footprints of a 10-stage group and of a 100-stage pipeline, and the engine's share
// of an import.

#include "engine/pipeline/footprint.h"
#include "engine/pipeline/json.h"
#include "tests/engine/pipeline/sketch.h"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <string>

namespace {

using namespace tessera::pipeline;

// Each stage is a 3×3 stencil of the two stages before it.
PipelinePtr stencilChain(int stages) {
  std::string text = "input in 4096 4096\nfunc f0(x y) 4096 4096 = in(x; y)\n";
  for (int i = 1; i < stages; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    const std::string further = i > 1 ? "f" + std::to_string(i - 2) : "in";
    text += "func f" + std::to_string(i) + "(x y) 4096 4096 = " + before + "(x+[-1,1]; y+[-1,1]) " +
            further + "(x; y)\n";
  }
  return test::sketch(text + "output f" + std::to_string(stages - 1) + "\n");
}

void footprintOfAChain(benchmark::State &state) {
  const PipelinePtr pipeline = stencilChain(static_cast<int>(state.range(0)));
  std::vector<FuncId> members;
  for (std::uint32_t f = 0; f < pipeline->funcs().size(); ++f)
    members.push_back(FuncId{f});
  const FootprintPlan plan(*pipeline, members, members.back());
  std::vector<Interval> boxes(plan.boxDims());
  Box tile{{0, 31}, {0, 7}};
  for (auto _ : state) {
    plan.evaluate(tile, boxes);
    benchmark::DoNotOptimize(boxes.data());
    tile[0].min = (tile[0].min + 32) % 4096;
    tile[0].max = tile[0].min + 31;
  }
  state.counters["stages/s"] = benchmark::Counter(static_cast<double>(state.range(0)),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(footprintOfAChain)->Arg(10)->Arg(100)->Arg(1000);

void planOfAChain(benchmark::State &state) {
  const PipelinePtr pipeline = stencilChain(static_cast<int>(state.range(0)));
  std::vector<FuncId> members;
  for (std::uint32_t f = 0; f < pipeline->funcs().size(); ++f)
    members.push_back(FuncId{f});
  for (auto _ : state) {
    const FootprintPlan plan(*pipeline, members, members.back());
    benchmark::DoNotOptimize(plan.boxDims());
  }
}
BENCHMARK(planOfAChain)->Arg(10)->Arg(100);

// The engine's work on a worker's reply: CBOR to JSON, JSON to a checked Pipeline.
void readingAReply(benchmark::State &state) {
  const PipelinePtr pipeline = stencilChain(static_cast<int>(state.range(0)));
  const std::vector<std::uint8_t> cbor =
      nlohmann::json::to_cbor(nlohmann::json::parse(toJson(pipeline->parts()).dump()));
  for (auto _ : state) {
    const auto read = pipelineFromJson(nlohmann::json::from_cbor(cbor));
    if (!read) state.SkipWithError(read.error().message.c_str());
    benchmark::DoNotOptimize(read);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(cbor.size() * state.iterations()));
}
BENCHMARK(readingAReply)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

} // namespace
