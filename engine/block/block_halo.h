// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/schedule/schedule.h"

#include <vector>

namespace tessera::block {

// What a block computes of a stage's func, by dimension, and the part that is the block's own. The
// rest is the halo: neighbouring blocks compute it, too, because their boxes overlap. Of the
// elements that two blocks have in common, each block owns half.
//
//   g(x) = f(x-1) + f(x) + f(x+1), 32 wide: of f, 34 elements are computed, and the middle 32 are
//   the block's own
struct BlockShare {
  std::vector<pipeline::Interval> computed, own;
};
BlockShare shareOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                   const cost::KernelRuns &runs, pipeline::StageId stage);

// The iteration with which the first thread begins, in the block that contains Run::base. Only for
// a stage that is not computed inside the threads of another one.
std::vector<pipeline::Interval> firstIteration(const schedule::Schedule &schedule,
                                               const cost::Run &run);

} // namespace tessera::block
