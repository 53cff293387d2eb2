// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/correction.h"
#include "engine/machine/machine.h"
#include "engine/measure/compile.h"
#include "engine/search/search.h"

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

namespace tessera::tune {

// The best schedule among some candidates and their variations, after compiling them.
struct Refined {
  search::Candidate best; // predicted with the registers and spills from ptxas
  std::size_t compiled = 0;
  std::vector<Error> failures; // of schedules that failed to compile or that ptxas compiles wrongly
};

// At most `most` candidates, those with the least predicted times. The best one is also included
// with other register caps.
std::vector<search::Candidate> worthCompiling(std::span<const search::Candidate> candidates,
                                              std::size_t most, const machine::Machine &machine);

// Compiles up to `most` schedules and ranks them by the cost model, with the registers that ptxas
// reports instead of the model's own estimate of them, the weakest part of the model. About five
// eighths of the schedules are from worthCompiling(). The rest are variations of their kernels,
// chosen by the results so far. A correction, if any, is applied to each time. `pipeline` is what
// is compiled, with the directives of each candidate. Fails if nothing could be compiled or ptxas
// is missing. Blocking; run it as a job.
Result<Refined> refine(std::span<const search::Candidate> candidates, std::size_t most,
                       const machine::Machine &machine, const measure::ScheduledPipeline &pipeline,
                       measure::ScheduleCompiler &compiler, const std::string &folder,
                       std::stop_token stop = {}, const job::ProgressCallback &progress = {},
                       const learn::Correction *correction = nullptr);

} // namespace tessera::tune
