// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/cost/load/warp_access.h"

#include <cstdint>

namespace tessera::cost {

// One load or store of a stage. StageLoad has the sums of these numbers over all accesses of the
// stage. Views show the accesses one by one.
struct AccessLoad {
  static constexpr std::uint32_t kStore = UINT32_MAX;

  std::uint32_t source = kStore; // index in Reads::sources(); kStore: what the stage writes
  pipeline::Producer producer;   // what is read, or the stage's own func
  MemorySpace space = MemorySpace::Global;
  WarpAccess access;   // of one request with its full width; only for global and shared memory
  double requests = 0; // per body: instructions of a warp; 0 for registers
  double width = 1;    // elements per thread in a request
  // Per request. `sectors` counts each request alone. For `newSectors`, a sector that several loads
  // of a body ask for is divided among them.
  double sectors = 0, newSectors = 0, lines = 0;
  double passes = 0; // per request, of the banks of shared memory

  bool isStore() const { return source == kStore; }
};

} // namespace tessera::cost
