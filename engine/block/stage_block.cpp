// SPDX-License-Identifier: MIT
#include "engine/block/stage_block.h"

#include "engine/schedule/bounds/bounds_room.h"

#include <algorithm>

namespace tessera::block {

using schedule::Bounds;
using schedule::Schedule;

std::optional<std::size_t> kernelOf(const cost::Prediction &prediction, pipeline::StageId stage) {
  for (std::size_t k = 0; k < prediction.kernels.size(); ++k)
    if (std::ranges::find(prediction.kernels[k].load.stages, stage, &cost::StageLoad::stage) !=
        prediction.kernels[k].load.stages.end())
      return k;
  return std::nullopt;
}

std::optional<StageBlock> stageBlockOf(const Schedule &schedule, const machine::Machine &machine,
                                       const cost::Prediction &prediction,
                                       pipeline::StageId stage) {
  const auto kernel = kernelOf(prediction, stage);
  if (!kernel) return std::nullopt;
  // The bounds are found as in the cost model, so that both count the same.
  const std::vector<pipeline::FuncId> funcs = schedule.pipeline()->allFuncs();
  schedule::ShapeRoom room;
  const Bounds &bounds = room.measure(schedule, funcs);
  const cost::KernelRuns runs(schedule, bounds, funcs);
  return StageBlock{*kernel, ThreadBlock(schedule, bounds, runs, machine, stage),
                    WarpPatterns(schedule, bounds, runs, machine).of(stage),
                    gridWavesOf(schedule, bounds, machine, prediction.kernels[*kernel])};
}

} // namespace tessera::block
