// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/cost/load/load_scratch.h"
#include "engine/cost/load/loaded_by_thread.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <span>

namespace tessera::cost {

// What one body of a stage reads. The views lie in the scratch that it was counted with, and stand
// until the next stage is counted there.
struct BodyReads {
  BodyAccess *access = nullptr;         // that has looked at the body
  std::span<const Reads::Count> counts; // of each source
};

// What is found out about a stage before its load is known: the load's key needs it, and loadOf()
// goes on from there.
struct LoadInputs {
  std::optional<BodyReads> reads;   // none where nobody had to count them yet
  std::span<const double> newParts; // of each source; empty where all of each source is new
};

// What a body of the stage of a run reads.
BodyReads readsOf(const pipeline::Pipeline &pipeline, const machine::Machine &machine,
                  const KernelRuns &runs, const Run &run, LoadScratch &scratch);

// Finds what of each source no stage has loaded that the same threads run before. To be asked about
// the stages of a kernel in their order: `loaded` remembers them.
LoadInputs inputsOf(const schedule::Schedule &schedule, const machine::Machine &machine,
                    const KernelRuns &runs, const Run &run, LoadedByThread &loaded,
                    LoadScratch &scratch);

} // namespace tessera::cost
