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
  double dramBytes = 0;          // of all stages: what several read, they fetch once
  std::vector<StageLoad> stages; // consumers first
};

double dramBytesOf(std::span<const StageLoad> stages); // of a kernel
// Values that threads keep in registers from the stage that computes them to the last that reads
// them, on top of what each of the stages keeps. A copy is left out: each of its loads can wait
// until its value is needed.
void addValuesAcross(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                     const KernelRuns &runs, std::span<const pipeline::StageId> stages,
                     KernelLoad &load);

} // namespace tessera::cost
