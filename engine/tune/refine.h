// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/search/search.h"
#include "engine/measure/compile.h"

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

namespace tessera::tune {

// The best of some candidates, and of what is near them, once a compiler has seen them.
struct Refined {
  search::Candidate best; // its seconds with the registers and spills that ptxas gave
  std::size_t compiled = 0;
  std::vector<Error> failures; // of those that could not be compiled
};

// Of candidates the `most` that look best, the best one under other register caps among them.
std::vector<search::Candidate> worthCompiling(std::span<const search::Candidate> candidates,
                                              std::size_t most, const machine::Machine &machine);

// Compiles up to `most` schedules, and ranks them by our model with ptxas's registers in place of
// its own estimate, which is where it errs most: most of them the candidates that look best, the
// best one under other register caps among them; then other ways to write their kernels, chosen by
// what has been learnt so far. `pipeline` says what is compiled; its directives are each
// candidate's. Blocking; run it as a job. Refuses where nothing could be compiled or no ptxas is
// found.
Result<Refined> refine(std::span<const search::Candidate> candidates, std::size_t most,
                       const machine::Machine &machine, const measure::ScheduledPipeline &pipeline,
                       measure::ScheduleCompiler &compiler, const std::string &folder,
                       std::stop_token stop = {}, const job::ProgressCallback &progress = {});

} // namespace tessera::tune
