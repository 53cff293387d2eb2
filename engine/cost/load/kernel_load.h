// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/cost/load/launch.h"
#include "engine/cost/load/stage_load.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/bounds/bounds.h"

#include <span>
#include <vector>

namespace tessera::cost {

struct KernelLoad : Launch {
  double dramBytes = 0;          // of all stages; data that several read are fetched once
  std::vector<StageLoad> stages; // consumers first
};

double dramBytesOf(std::span<const StageLoad> stages); // of the stages of one kernel
// Adds the values that threads keep in registers from the stage that computes them to the last
// stage that reads them, on top of what each stage keeps itself. Copies are left out: each of their
// loads can wait until its value is needed.
void addValuesAcross(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                     const KernelRuns &runs, std::span<const pipeline::StageId> stages,
                     KernelLoad &load);

} // namespace tessera::cost
