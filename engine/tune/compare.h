// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/comparison.h"
#include "engine/tune/contenders.h"
#include "engine/bench/gpu_client.h"
#include "engine/bench/input_folder.h"
#include "engine/measure/gpu_bench.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

struct PrepareRequest {
  std::vector<Contender> contenders; // from contendersFor()
  ContenderSources sources;
  std::string folder; // folder of the comparison
  measure::CompileTarget target;
  std::vector<bench::GivenInput> inputs; // inputs from the user; the others are random
  std::uint64_t seed = 1;
};

// Finds the schedules, compiles a bundle for each and computes the reference, all into one folder.
// `host` is a tessera-gpu on this machine. Blocking; run it as a job. Returns an error only if the
// job was stopped or the folder cannot be written; a problem with one contender is recorded in the
// comparison.
Result<Comparison> prepareComparison(const PrepareRequest &request, open::PipelineOpener &opener,
                                     measure::ScheduleCompiler &compiler, bench::GpuClient &host,
                                     const std::stop_token &stop,
                                     const job::ProgressCallback &progress);

struct TurnsRequest {
  std::string folder;
  measure::GpuBench::Where where = measure::GpuBench::Where::Here; // the worker's machine
  int rounds = 21;
  // The time for measuring all contenders. The contender that runs when this time is over counts
  // as hanging, and the others start again with the full time.
  std::chrono::milliseconds timeout{120'000};
  report::GivenTolerance tolerance = {}; // what the user allows
};

// Measures all contenders that have a bundle, in rounds with one batch of runs of each contender. A
// contender that fails, hangs or loses the device is recorded as such and left out, and the others
// start again. Returns an error if the GPU, its connection or the folder fails, or if the job was
// stopped; the comparison and comparison.json then stay as they were, with the results of earlier
// measurements. Blocking; run it as a job.
Status measureComparison(Comparison &comparison, const TurnsRequest &request, bench::GpuClient &gpu,
                         const std::stop_token &stop, const job::ProgressCallback &progress);

} // namespace tessera::tune
