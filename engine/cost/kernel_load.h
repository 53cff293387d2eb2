// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/launch.h"
#include "engine/cost/stage_work.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/shape.h"

#include <span>
#include <vector>

namespace tessera::cost {

// What one stage asks of the machine in one block of its kernel.
//
// A *body* is the straight-line code that a thread runs between two turns of a loop: the unrolled
// and vectorised loops, or one point. A *request* is one load or store instruction of a warp.
struct StageLoad {
  pipeline::StageId stage{};
  schedule::Depth depth = schedule::Depth::Host;
  double threads = 1; // of a block, those with something to compute
  double warps = 1;   // with at least one of these
  double bodies = 1;  // that each of them runs
  double points = 1;  // evaluations in a body
  Slots arithmetic;   // of a body
  double rows = 0;    // of elements in global memory that a body accesses: addresses of their own

  // Requests of a body, and what they take: lines of the first-level cache, passes of shared
  // memory.
  double loads = 0, stores = 0, sharedAccesses = 0, localAccesses = 0;
  double lines = 0, sharedPasses = 0;
  double l2Bytes = 0;    // from beyond the first-level cache, of a block
  double storeBytes = 0; // of a block, in sectors
  double missing = 0;    // of the loads of a body: those that wait for the second-level cache
  double turns = 1;      // in a row that add to the same values, kept in registers
  double atomics = 0;    // of a body
  double conflicts = 1;  // threads of a warp that update the same element
  bool chained = false;  // each point waits for what the one before has stored
  bool guarded = false;  // each copy of a body waits for a condition of its own
  double barriers = 0;   // of a block
  double held = 0;       // values that a thread would like to hold at once in a body
  double live = 0;       // of those, what it has to, however the body is ordered
};

struct KernelLoad : Launch {
  double dramBytes = 0;          // of one launch, had the second-level cache nothing
  std::vector<StageLoad> stages; // consumers first
};

// Kernels in the order of their launches: those of some funcs, by rising number, that the shape has
// measured.
std::vector<KernelLoad> loadsOf(const schedule::Schedule &schedule, const schedule::Shape &shape,
                                std::span<const pipeline::FuncId> funcs,
                                const machine::Machine &machine);

} // namespace tessera::cost
