// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/tune.h"
#include "engine/host/machines.h"
#include "engine/host/trust.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/search/kernels/frozen_conflict.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/support/build_paths.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

namespace tessera::tune::test {

inline const std::string kReference = tessera::test::testPath("measured_bundle/reference");
inline const std::string kRight = "write \"" + kReference + "/output0.raw\" ";

// Tunes the sample blur.
class TuneTest : public host::test::ScratchTest {
protected:
  TuneTest()
      : m_tools(toolsWithRuntime()),
        m_opener(m_tools, std::make_shared<host::TrustStore>(m_tools.configDir + "/trust.json")),
        m_machine(*machineFor(host::kDefaultMachine, m_tools)), m_compiler(m_tools, 2),
        m_store(std::move(*TuneStore::open(folder() + "/tune.sqlite"))) {
    // The reference output was computed at this size.
    auto opened = m_opener.open({.path = m_tools.samples + "/blur.hlpipe",
                                 .estimates = {*open::parseEstimate("output=0:320,0:240")}});
    EXPECT_TRUE(opened);
    m_opened = std::move(*opened);
    m_context = *m_store->contextId({"blur", "abc", "[]", "h200", "Fake GPU"});
  }

  // The runtime that all bundles share is compiled only once, for the bundle of the reference.
  host::ToolPaths toolsWithRuntime() const {
    host::ToolPaths tools = builtTools();
    tools.cacheDir = tessera::test::testPath("cache/tessera");
    return tools;
  }

  bench::GpuClient gpu(const std::string &wishes) const {
    job::ProcessOptions options;
    options.program = m_tools.gpuWorker;
    options.environment = {{"LD_LIBRARY_PATH", tessera::test::testPath("fake_cuda")},
                           {"TESSERA_FAKE_CUDA", wishes}};
    return bench::GpuClient(options);
  }

  TuneRequest request() {
    std::filesystem::create_directories(folder() + "/bundles");
    const auto start = search::legalStart(schedule::defaultSchedule(m_opened->pipeline), m_machine);
    TuneRequest request{.start = *start, .plain = {}, .machine = m_machine};
    request.plain.file = m_opened->file.pipeline;
    request.plain.estimates = m_opened->file.estimates;
    request.scratch = folder() + "/bundles";
    request.reference = kReference;
    // These options keep each measurement short: five runs of at least one kernel.
    request.measure.batches = 1;
    request.measure.batchSeconds = 1e-6;
    request.measure.warmUpSeconds = 0;
    request.measure.singles = request.measure.coldSamples = request.measure.tracedRuns = 0;
    request.measure.allocating = request.measure.graph = false;
    return request;
  }

  // Tunes until `isEnough` is true or the budget is spent.
  TuneResult run(const TuneRequest &request, bench::GpuClient &gpu,
                 const std::function<bool(const TuneState &)> &isEnough) {
    std::stop_source stop;
    return tune(request, *m_store, m_context, m_compiler, gpu, stop.get_token(),
                [&](const TuneState &state) {
                  if (isEnough(state)) stop.request_stop();
                });
  }

  std::vector<TunedCandidate> stored() const { return *m_store->candidates(m_context); }
  std::size_t storedAs(Outcome outcome) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        stored(), [&](const TunedCandidate &one) { return one.outcome == outcome; }));
  }

  // Expects that all candidates with an outcome are unchanged and were not measured again.
  void expectKept(const std::vector<TunedCandidate> &before) const {
    const auto after = stored();
    for (const TunedCandidate &one : before) {
      if (!one.outcome) continue;
      const auto same = std::ranges::find(after, one.hash, &TunedCandidate::hash);
      ASSERT_NE(same, after.end());
      EXPECT_EQ(same->measurement, one.measurement);
      EXPECT_EQ(same->attempts, 1);
    }
  }

  host::ToolPaths m_tools;
  open::PipelineOpener m_opener;
  machine::Machine m_machine;
  measure::ScheduleCompiler m_compiler;
  std::unique_ptr<TuneStore> m_store;
  std::optional<open::OpenedPipeline> m_opened;
  std::int64_t m_context = 0;
};

} // namespace tessera::tune::test
