// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/cost/load/launch.h"
#include "engine/cost/load/stage_load.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/schedule.h"

#include <span>
#include <vector>

namespace tessera::cost {

struct KernelLoad : Launch {
  double dramBytes = 0;          // of all stages; data that several stages read are fetched once
  std::vector<StageLoad> stages; // consumers first
};

// Bytes from device memory that the stages of one kernel fetch together.
double dramBytesOf(std::span<const StageLoad> stages);
// Adds to `live` of each stage the values of other stages: threads keep them in registers from the
// stage that computes them to the last stage that reads them. Funcs that only copy what they read
// are left out if their values can be loaded when they are needed.
void addValuesAcross(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                     const KernelRuns &runs, std::span<const pipeline::StageId> stages,
                     KernelLoad &load);

} // namespace tessera::cost
