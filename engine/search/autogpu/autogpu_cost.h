// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_parameters.h"
#include "engine/search/autogpu/autogpu_tiles.h"
#include "engine/search/autogpu/autogpu_work.h"
#include "engine/machine/machine.h"
#include "engine/pipeline/pipeline.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera::search {

// One kernel in AutoGPU's terms. Its members are computed one tile of the output at a time, and all
// but the output are kept in shared memory.
struct AutoGpuGroup {
  pipeline::FuncId output{};
  std::vector<pipeline::FuncId> members; // without inlined funcs, with the output
  std::vector<pipeline::FuncId> inlined; // funcs inlined into the members
  // Tile size by dimension of the output; the extent if it is not tiled.
  std::vector<std::int64_t> tiles;
  std::vector<bool> threads; // true: this dimension of the output has threads (loop_threads)
};

// The loads of all members from one buffer in one tile.
struct AutoGpuLoads {
  pipeline::Producer producer;
  // True: the buffer is in shared memory, since its producer is a member other than the output.
  bool shared = false;
  double bytes = 0;
  double consecutiveBytes = 0; // bytes that loads of one transaction use
  double cost = 0;
};

// One stage of a member, in one tile.
struct AutoGpuStage {
  pipeline::StageId stage{};
  std::int64_t threads = 1;
  double operations = 0; // the paper's stage.arithmetic_cost
  double occupancy = 0;
  double activeThreads = 0; // per multiprocessor
  double activeSms = 0;
  double cost = 0; // operations / (occupancy · activeThreads)
};

// Lower is better. Only costs of the same machine and phase can be compared.
struct AutoGpuCost {
  bool valid = false;
  std::string_view whyNot; // such as "more threads than a block may have"; empty if valid

  double memory = 0;     // cost of memory accesses of all tiles, not divided by the occupancy
  double stores = 0;     // the part of `memory` that stores cost
  double arithmetic = 0; // cost of arithmetic of all tiles
  double total = 0;      // infinite if not valid

  std::int64_t tiles = 1;
  std::int64_t footprintBytes = 0;
  std::vector<std::int64_t> threadBlock; // threads by dimension of the output; 1: no threads
  std::int64_t threads = 1;
  double occupancy = 1;
  double activeThreads = 0;
  double activeSms = 0;

  std::vector<AutoGpuLoads> loads;  // the output, members (consumers first), inputs
  std::vector<AutoGpuStage> stages; // the output's stages come first
};

// The dimension of the output whose threads run along this argument of a member. Empty if none do.
std::optional<std::size_t> autoGpuThreadDim(const pipeline::Pipeline &pipeline,
                                            const AutoGpuGroup &group, pipeline::FuncId member,
                                            std::size_t argument);

// Listing 1 of the paper, evaluate_group_costs.
AutoGpuCost autoGpuCost(const pipeline::Pipeline &pipeline, const AutoGpuGroup &group,
                        const machine::Machine &machine, AutoGpuPhase phase,
                        const AutoGpuParameters &parameters = {});

// The same for one tiling after another of a group, whose work is found once.
AutoGpuWork autoGpuWork(const pipeline::Pipeline &pipeline, const AutoGpuGroup &group);
AutoGpuCost autoGpuCost(const pipeline::Pipeline &pipeline, const AutoGpuWork &work,
                        const AutoGpuGroup &group, const machine::Machine &machine,
                        AutoGpuPhase phase, const AutoGpuParameters &parameters);

// The cost of a group without tiles, threads and occupancy: its work and its loads, point by point.
// The paper's section 4.1 refers to Halide's CPU scheduler, which inlines by these costs.
double autoGpuUntiledCost(const pipeline::Pipeline &pipeline, AutoGpuGroup group,
                          const machine::Machine &machine, const AutoGpuParameters &parameters);

} // namespace tessera::search
