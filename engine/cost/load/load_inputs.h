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

// What one body of a stage reads. The views point into the scratch memory that was used, and are
// valid until it is used for the next stage.
struct BodyReads {
  BodyAccess *access = nullptr;         // has looked at the body
  std::span<const Reads::Count> counts; // of each source
};

// Facts about a stage that the key of its load needs. loadOf() also uses them.
struct LoadInputs {
  std::optional<BodyReads> reads; // empty if not counted yet
  // For each source, the fraction of its reads that no earlier stage of the thread has loaded.
  // Empty: earlier stages have loaded nothing.
  std::span<const double> newParts;
};

// What a body of the run's stage reads.
BodyReads readsOf(const pipeline::Pipeline &pipeline, const machine::Machine &machine,
                  const KernelRuns &runs, const Run &run, LoadScratch &scratch);

// Finds the part of each source that no earlier stage of the same threads has loaded. This has to
// be called for the stages of a kernel in their order, because `loaded` remembers the loads.
LoadInputs inputsOf(const schedule::Schedule &schedule, const machine::Machine &machine,
                    const KernelRuns &runs, const Run &run, LoadedByThread &loaded,
                    LoadScratch &scratch);

} // namespace tessera::cost
