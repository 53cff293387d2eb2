// SPDX-License-Identifier: MIT
#include "engine/block/grid_waves.h"

#include "engine/schedule/directives/loop_names.h"

namespace tessera::block {

using schedule::LoopKind;
using schedule::LoopNest;

GridWaves gridWavesOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                      const machine::Machine &machine, const cost::Prediction::Kernel &kernel) {
  const auto &[load, time] = kernel;
  GridWaves grid;
  grid.launches = load.launches;
  grid.multiprocessors = machine.multiprocessors;
  grid.use = {load.threads(), time.registers, load.sharedBytes};
  grid.occupancy = time.occupancy;
  grid.modelWaves = time.waves;
  const LoopNest &nest = schedule.plan(load.stage).nest;
  const schedule::LoopNames names(schedule.pipeline()->stage(load.stage), nest);
  const schedule::Bounds::StageBounds &of = bounds.of(load.stage);
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    if (nest.loops[l].kind != LoopKind::Block) continue;
    const schedule::LoopRef ref = nest.loops[l].ref;
    const bool isFused = !nest.axes[ref.axis].fused.empty();
    GridWaves::Side side{names.of(ref).name, of.loops[l], 0, of.loops[l]};
    if (!isFused) {
      side.covers = nest.axes[ref.axis].inside(ref.part);
      side.extent = of.dims[ref.axis];
    }
    if (grid.sides.size() < grid.blocks.size()) grid.blocks[grid.sides.size()] = side.blocks;
    grid.sides.push_back(std::move(side));
  }
  return grid;
}

} // namespace tessera::block
