// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/dram_reads.h"
#include "engine/cost/load/load_inputs.h"
#include "engine/cost/load/stage_work.h"
#include "engine/schedule/bounds/bounds.h"

namespace tessera::cost {

// What one stage asks of the machine in one block of its kernel.
//
// A *body* is the straight-line code that a thread runs between two turns of a loop: the unrolled
// and vectorised loops, or one point. A *request* is one load or store instruction of a warp.
struct StageLoad {
  pipeline::StageId stage{};
  schedule::Depth depth = schedule::Depth::Host;
  double threads = 1;   // of a block, those with something to compute
  double warps = 1;     // with at least one of these
  double bodies = 1;    // that each of them runs
  double points = 1;    // evaluations in a body
  Slots arithmetic;     // of a body
  double rows = 0;      // of elements in global memory that a body accesses: addresses of their own
  double scattered = 0; // of elements anywhere, that a boundary or data choose

  // Requests of a body, and what they take: lines of the first-level cache, passes of shared
  // memory.
  double loads = 0, stores = 0, sharedAccesses = 0, localAccesses = 0;
  double lines = 0, sharedPasses = 0;
  double l2Bytes = 0;     // from beyond the first-level cache, of a block
  double storeBytes = 0;  // of a block, in sectors
  double missing = 0;     // of the loads of a body: those that wait for the second-level cache
  double turns = 1;       // in a row that add to the same values, kept in registers
  double atomics = 0;     // of a body
  double adders = 0;      // of an atomic: threads of a warp whose addition reaches memory by itself
  double conflicts = 1;   // of these, those that add to the same element
  double places = 1;      // elements that all blocks add to
  double retries = 0;     // of a body's atomics in shared memory, where others were there before
  double chained = 0;     // steps of a body that wait for what the one before has stored
  bool forwarded = false; // what these steps store, the next one has in a register
  double guarded = 0;     // waits of a body for what is behind conditions; 0: it has none
  double barriers = 0;    // of a block
  double held = 0;        // values that a thread would like to hold at once in a body
  double live = 0;        // of those, what it has to, however the body is ordered
  double dramBytes = 0;   // of one launch, had the second-level cache nothing
  DramReads dramReads;    // what of that is read, the largest
};

// Of one stage of a kernel, without what stages keep for each other.
StageLoad loadOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                 const machine::Machine &machine, const KernelRuns &runs, const Run &run,
                 const LoadInputs &inputs, LoadScratch &scratch);

} // namespace tessera::cost
