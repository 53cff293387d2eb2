// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/block_reads.h"
#include "engine/cost/load/body_access.h"
#include "engine/cost/load/dram_reads.h"
#include "engine/cost/load/grid_reads.h"
#include "engine/cost/load/kernel_runs.h"
#include "engine/cost/load/launch.h"
#include "engine/cost/load/live_values.h"
#include "engine/cost/load/load_key.h"
#include "engine/cost/load/loaded_by_thread.h"
#include "engine/cost/load/stage_work.h"
#include "engine/cost/load/warp_access.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/bounds/bounds.h"

#include <cstdint>
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

struct KernelLoad : Launch {
  double dramBytes = 0;          // of all stages: what several read, they fetch once
  std::vector<StageLoad> stages; // consumers first
};

// Room that counting a load takes: given again for the next, nothing is allocated.
struct LoadScratch {
  BodyAccess access;
  std::vector<pipeline::Interval> over, boxes; // what loops run over, and what is read there
  std::vector<pipeline::Interval> whole;       // what loops run over in all blocks
  std::vector<Reads::Count> counts;            // of each source, in a body
  std::vector<Reads::Count> countsOfCopies;    // in its copies, each by itself
  std::vector<double> newParts; // of each source, see findNewParts(); none: all of everything
  std::vector<double> strides;  // of a layout
  std::vector<CachedRead> cached;
  BlockReads block;
  GridReads grid;
  LiveValues live;
  KnownBankPasses passes;
};

// What of each source no stage has loaded that the same threads run before: stages in the order of
// their kernel. To be followed by loadOf() or describe().
void findNewParts(const schedule::Schedule &schedule, const machine::Machine &machine,
                  const KernelRuns &runs, const Run &run, LoadedByThread &loaded,
                  LoadScratch &scratch);
// Of one stage of a kernel, without what stages keep for each other.
StageLoad loadOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                 const machine::Machine &machine, const KernelRuns &runs, const Run &run,
                 LoadScratch &scratch);
// All that this load depends on, beside pipeline and machine: equal keys are equal loads (in
// load_key.cpp).
LoadKey describe(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                 const machine::Machine &machine, const KernelRuns &runs, const Run &run,
                 std::span<const double> newParts);
double dramBytesOf(std::span<const StageLoad> stages); // of a kernel
// Values that threads keep in registers from the stage that computes them to the last that reads
// them, on top of what each of the stages keeps. A copy is left out: each of its loads can wait
// until its value is needed.
void addValuesAcross(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                     const KernelRuns &runs, std::span<const pipeline::StageId> stages,
                     KernelLoad &load);

} // namespace tessera::cost
