// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/block_reads.h"
#include "engine/cost/load/body_access.h"
#include "engine/cost/load/grid_reads.h"
#include "engine/cost/load/live_values.h"
#include "engine/cost/load/reads.h"
#include "engine/cost/load/warp_access.h"

#include <vector>

namespace tessera::cost {

// Memory that counting one load takes. It is handed on to the next, so that nothing is allocated
// there; nobody reads what an earlier load has left in it.
struct LoadScratch {
  BodyAccess access;
  std::vector<pipeline::Interval> over, boxes; // what loops run over, and what is read there
  std::vector<pipeline::Interval> whole;       // what loops run over in all blocks
  std::vector<Reads::Count> counts;            // of each source, in a body
  std::vector<Reads::Count> countsOfCopies;    // in its copies, each by itself
  std::vector<double> newParts;                // of each source, see LoadInputs
  std::vector<double> strides;                 // of a layout
  std::vector<CachedRead> cached;
  BlockReads block;
  GridReads grid;
  LiveValues live;
  KnownBankPasses passes;
};

} // namespace tessera::cost
