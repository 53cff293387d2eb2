// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_tiles.h"
#include "engine/machine/machine.h"
#include "engine/pipeline/pipeline.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera::search {

// One kernel as AutoGPU sees it: members are computed a tile of the output at a time, all of them
// in shared memory but the output.
struct AutoGpuGroup {
  pipeline::FuncId output{};
  std::vector<pipeline::FuncId> members; // not inlined, the output included
  std::vector<pipeline::FuncId> inlined; // into the members
  std::vector<std::int64_t> tiles;       // by dimension of the output; not tiled: its extent
  std::vector<bool> threads;             // by dimension of the output: the paper's loop_threads
};

// What the paper leaves to the machine or does not name.
struct AutoGpuParameters {
  // Computations that one transaction with global memory is worth. The paper says only that there
  // is such a factor; 40 is Halide's default for the same one (Mullapudi2019, `balance`).
  double balance = 40;
  double transactionBytes = 128;  // most that one transfers, section 4.2
  double occupancyThreshold = .1; // section 4.2, "usually"
  // A thread, below the paper's bound. The bound itself would always leave one block on a
  // multiprocessor; with 64 the example of section 3 has its 100 %.
  std::int64_t registers = 64;
};

// The loads of all members from one buffer, in one tile.
struct AutoGpuLoads {
  pipeline::Producer producer;
  bool shared = false; // a member's, but the output's
  double bytes = 0;
  double consecutiveBytes = 0; // that one transaction serves
  double cost = 0;
};

// One stage of a member, in one tile.
struct AutoGpuStage {
  pipeline::StageId stage{};
  std::int64_t threads = 1;
  double operations = 0; // the paper's stage.arithmetic_cost
  double occupancy = 0;
  double activeThreads = 0; // of a multiprocessor
  double activeSms = 0;
  double cost = 0; // operations / (occupancy · activeThreads)
};

// Lower is better; only costs of the same machine and phase compare.
struct AutoGpuCost {
  bool valid = false;
  std::string_view whyNot; // "more threads than a block may have"; empty when valid

  double memory = 0;     // of all tiles, never scaled
  double arithmetic = 0; // of all tiles
  double total = 0;      // infinite when not valid

  std::int64_t tiles = 1;
  std::int64_t footprintBytes = 0;
  std::vector<std::int64_t> threadBlock; // by dimension of the output, 1 where it has no threads
  std::int64_t threads = 1;
  double occupancy = 1;
  double activeThreads = 0;
  double activeSms = 0;

  std::vector<AutoGpuLoads> loads;  // the output, members from consumer to producer, then inputs
  std::vector<AutoGpuStage> stages; // output first
};

// The dimension of the output whose threads an argument of a member shares; none: it has no
// threads.
std::optional<std::size_t> autoGpuThreadDim(const pipeline::Pipeline &pipeline,
                                            const AutoGpuGroup &group, pipeline::FuncId member,
                                            std::size_t argument);

// Listing 1 of the paper, evaluate_group_costs.
AutoGpuCost autoGpuCost(const pipeline::Pipeline &pipeline, const AutoGpuGroup &group,
                        const machine::Machine &machine, AutoGpuPhase phase,
                        const AutoGpuParameters &parameters = {});

} // namespace tessera::search
