// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/schedule/schedule.h"

#include <vector>

namespace tessera::block {

// What a block computes of a stage's func, by dimension, and the part that is its own. Neighbouring
// blocks compute the rest, the halo, too: their boxes are closer to each other than they are long.
// Half of the common part counts for each.
//
//   g(x) = f(x-1) + f(x) + f(x+1), 32 wide: of f, 34 elements are computed, and the middle 32 are
//   the block's own
struct BlockShare {
  std::vector<pipeline::Interval> computed, own;
};
BlockShare shareOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                   const cost::KernelRuns &runs, pipeline::StageId stage);

// The first iteration of a run that has threads of its own, in the block where the run begins.
std::vector<pipeline::Interval> firstIteration(const schedule::Schedule &schedule,
                                               const cost::Run &run);

} // namespace tessera::block
