// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/dram_reads.h"
#include "engine/cost/load/load_inputs.h"
#include "engine/cost/load/stage_work.h"
#include "engine/schedule/bounds/bounds.h"

namespace tessera::cost {

// The work that one stage causes in one block of its kernel. Some numbers have another unit, given
// beside them.
//
// A *body* is the straight-line code in a thread's innermost remaining loop: all copies that
// unrolled and vectorised loops make, or one point. A *turn* is an iteration of a loop around it. A
// *request* is one load or store instruction of a warp.
struct StageLoad {
  pipeline::StageId stage{};
  schedule::Depth depth = schedule::Depth::Host;
  double threads = 1;   // threads per block that have something to compute
  double warps = 1;     // warps with at least one of these threads
  double bodies = 1;    // bodies that each of these threads runs per block
  double points = 1;    // evaluations per body
  Slots arithmetic;     // per body
  double rows = 0;      // rows of memory per body that need an address of their own
  double scattered = 0; // elements per body whose address depends on a boundary or on data

  // Requests per body, and the lines of the first-level cache and passes of shared memory that they
  // take.
  double loads = 0, stores = 0, sharedAccesses = 0, localAccesses = 0;
  double lines = 0, sharedPasses = 0;
  double cacheBytes = 0;  // per body, that the first-level cache moves, in whole sectors
  double l2Bytes = 0;     // per block, fetched from beyond the first-level cache
  double storeBytes = 0;  // per block, in whole sectors
  double missing = 0;     // average number of loads per body that miss the first-level cache
  double turns = 1;       // successive turns that add to the same values in registers
  double atomics = 0;     // atomic additions per body
  double adders = 0;      // per atomic: threads of a warp that send their own addition to memory
  double conflicts = 1;   // how many of the adders add to the same element
  double places = 1;      // elements that all blocks add to
  double retries = 0;     // repeated atomics per body in shared memory, after collisions
  double chained = 0;     // steps per body that wait for what the previous step stored
  bool forwarded = false; // true: these steps find the stored value in a register
  double together = 1;    // bodies that a compiler puts into one straight line of such steps
  double guarded = 0;     // waits per body for loads behind conditions; 0: no conditions
  double barriers = 0;    // per block
  double held = 0;        // values that a thread holds at once, if registers suffice
  double live = 0;        // values that a thread must hold at once, however the body is ordered
  double dramBytes = 0;   // per launch, with an empty second-level cache
  DramReads dramReads;    // the largest reads in dramBytes
};

// The load of one stage of a kernel, without the values that stages keep for each other; see
// addValuesAcross().
StageLoad loadOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                 const machine::Machine &machine, const KernelRuns &runs, const Run &run,
                 const LoadInputs &inputs, LoadScratch &scratch);

} // namespace tessera::cost
