// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/gpu_client.h"
#include "engine/bench/input_folder.h"
#include "engine/tune/comparison.h"
#include "engine/tune/contenders.h"
#include "engine/measure/gpu_bench.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

struct PrepareRequest {
  std::vector<Contender> contenders; // as contendersFor() names them
  ContenderSources sources;
  std::string folder; // of the comparison
  measure::CompileTarget target;
  std::vector<bench::GivenInput> inputs; // by the user; the others are random
  std::uint64_t seed = 1;
};

// Finds the schedules, compiles a bundle of each and computes the reference, all into one folder.
// `host` is a tessera-gpu of this machine. Blocking; run it as a job. An error is of the folder;
// what is wrong with a contender is told in the comparison.
Result<Comparison> prepareComparison(const PrepareRequest &request, open::PipelineOpener &opener,
                                     measure::ScheduleCompiler &compiler, bench::GpuClient &host,
                                     const std::stop_token &stop,
                                     const job::ProgressCallback &progress);

struct TurnsRequest {
  std::string folder;
  bool isElsewhere = false; // the worker is on another machine: bundles are sent
  int rounds = 21;
  // Of all together; whoever's turn it is when it passes has hung, and the others begin anew.
  std::chrono::milliseconds timeout{120'000};
};

// Measures all that have a bundle, in turns. One that fails, hangs or takes the device with it is
// told so and left out, and the others start again. An error is of the GPU or the folder, and
// leaves the comparison as it was. Blocking; run it as a job.
Status measureComparison(Comparison &comparison, const TurnsRequest &request, bench::GpuClient &gpu,
                         const std::stop_token &stop, const job::ProgressCallback &progress);

} // namespace tessera::tune
