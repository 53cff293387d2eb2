// SPDX-License-Identifier: MIT
// Measures the import of every sample that the build made, from its file to a Pipeline: with a
// running worker, and including the start of the worker.

#include "engine/open/open.h"
#include "tests/support/build_paths.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace tessera::open;

tessera::host::ToolPaths tools() {
  tessera::host::ToolSearch search;
  search.programPath = tessera::test::binPath("tessera-cli");
  search.home = fs::temp_directory_path().string();
  return tessera::host::findTools(search);
}

std::shared_ptr<tessera::host::TrustStore> noTrust() {
  return std::make_shared<tessera::host::TrustStore>(std::string());
}

void importWarm(benchmark::State &state, const std::string &path) {
  PipelineOpener opener(tools(), noTrust());
  opener.warmUp();
  for (auto _ : state) {
    const auto opened = opener.open({.path = path});
    if (!opened) {
      state.SkipWithError(opened.error().message.c_str());
      return;
    }
    state.counters["stages"] = static_cast<double>(opened->pipeline->stages().size());
  }
}

void importCold(benchmark::State &state, const std::string &path) {
  for (auto _ : state) {
    PipelineOpener opener(tools(), noTrust());
    const auto opened = opener.open({.path = path});
    if (!opened) {
      state.SkipWithError(opened.error().message.c_str());
      return;
    }
  }
}

[[maybe_unused]] const bool kRegistered = [] {
  std::vector<fs::path> samples;
  std::error_code none;
  for (const auto &entry : fs::directory_iterator(tessera::test::sharePath("samples"), none))
    if (entry.path().extension() == ".hlpipe") samples.push_back(entry.path());
  std::sort(samples.begin(), samples.end());
  for (const fs::path &sample : samples) {
    const std::string name = sample.stem().string();
    const std::string path = sample.string();
    benchmark::RegisterBenchmark(("import/warm/" + name).c_str(),
                                 [path](benchmark::State &state) { importWarm(state, path); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
    benchmark::RegisterBenchmark(("import/cold/" + name).c_str(),
                                 [path](benchmark::State &state) { importCold(state, path); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Iterations(3);
  }
  return true;
}();

} // namespace
