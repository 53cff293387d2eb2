// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/access_load.h"
#include "engine/cost/load/block_reads.h"
#include "engine/cost/load/body_access.h"
#include "engine/cost/load/grid_reads.h"
#include "engine/cost/load/live_values.h"
#include "engine/cost/load/reads.h"
#include "engine/cost/load/warp_access.h"

#include <vector>

namespace tessera::cost {

// Scratch memory for counting one load. It is reused for the next load to avoid allocations.
// Nothing in it carries over from one load to the next.
struct LoadScratch {
  BodyAccess access;
  std::vector<pipeline::Interval> over, boxes; // loop intervals, and the boxes read for them
  std::vector<pipeline::Interval> whole;       // loop intervals in all blocks
  std::vector<Reads::Count> counts;            // of each source, in a body
  // Of each source, in a body, if each copy in the body is counted separately.
  std::vector<Reads::Count> countsOfCopies;
  std::vector<double> newParts; // of each source; see LoadInputs
  std::vector<double> strides;  // memory of Layout::strides
  std::vector<CachedRead> cached;
  BlockReads block;
  GridReads grid;
  LiveValues live;
  KnownBankPasses passes;
  // If not null, loadOf() appends the accesses of the counted stage to this vector. The vector
  // belongs to the caller, who also has to reset the pointer.
  std::vector<AccessLoad> *accesses = nullptr;
};

} // namespace tessera::cost
