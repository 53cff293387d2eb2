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
  double threads = 1;   // of a block, with something to compute
  double warps = 1;     // with at least one of these threads
  double bodies = 1;    // that each of these threads runs
  double points = 1;    // evaluations in a body
  Slots arithmetic;     // of a body
  double rows = 0;      // of global memory that a body accesses; each has its own address
  double scattered = 0; // elements whose address a boundary or data choose

  // Requests of a body, and the lines of the first-level cache and passes of shared memory that
  // they take.
  double loads = 0, stores = 0, sharedAccesses = 0, localAccesses = 0;
  double lines = 0, sharedPasses = 0;
  double l2Bytes = 0;     // fetched from beyond the first-level cache, of a block
  double storeBytes = 0;  // of a block, in sectors
  double missing = 0;     // average number of loads of a body that miss the first-level cache
  double turns = 1;       // consecutive turns that add to the same values in registers
  double atomics = 0;     // of a body
  double adders = 0;      // per atomic: threads of a warp that send their own addition to memory
  double conflicts = 1;   // how many of the adders add to the same element
  double places = 1;      // elements that all blocks add to
  double retries = 0;     // repeated atomics of a body in shared memory, after collisions
  double chained = 0;     // steps of a body that wait for what the step before has stored
  bool forwarded = false; // these steps find the stored value in a register
  double guarded = 0;     // waits of a body for loads behind conditions; 0: no conditions
  double barriers = 0;    // of a block
  double held = 0;        // values that a thread holds at once, if registers suffice
  double live = 0;        // values that a thread must hold at once, in any order of the body
  double dramBytes = 0;   // of one launch, with an empty second-level cache
  DramReads dramReads;    // the largest reads in dramBytes
};

// The load of one stage of a kernel, without the values that stages keep for each other.
StageLoad loadOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                 const machine::Machine &machine, const KernelRuns &runs, const Run &run,
                 const LoadInputs &inputs, LoadScratch &scratch);

} // namespace tessera::cost
