// SPDX-License-Identifier: MIT
#pragma once

#include "engine/block/grid_waves.h"
#include "engine/block/thread_block.h"
#include "engine/block/warp_pattern.h"
#include "engine/cost/prediction.h"

#include <optional>
#include <vector>

namespace tessera::block {

// All that is shown of the blocks of one stage: the command `block` prints it, and the panel
// paints it.
struct StageBlock {
  std::size_t kernel = 0; // index in the prediction
  ThreadBlock threads;
  std::vector<WarpPattern> accesses;
  GridWaves grid;
};

// Empty for a stage that no kernel computes, since it is inlined. The schedule has to be legal, and
// `prediction` has to be that of this schedule.
std::optional<StageBlock> stageBlockOf(const schedule::Schedule &schedule,
                                       const machine::Machine &machine,
                                       const cost::Prediction &prediction, pipeline::StageId stage);

// The kernel of a prediction that computes a stage; none: it is inlined.
std::optional<std::size_t> kernelOf(const cost::Prediction &prediction, pipeline::StageId stage);

} // namespace tessera::block
