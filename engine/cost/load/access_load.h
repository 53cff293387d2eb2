// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/cost/load/warp_access.h"

#include <cstdint>

namespace tessera::cost {

// One load or store of a stage, as the load of the stage counts it. The sums over all accesses of
// a stage are the numbers in StageLoad. Views show them one by one.
struct AccessLoad {
  static constexpr std::uint32_t kStore = UINT32_MAX;

  std::uint32_t source = kStore; // index in Reads::sources(); kStore: what the stage writes
  pipeline::Producer producer;   // what is read, or the stage's own func
  MemorySpace space = MemorySpace::Global;
  WarpAccess access;   // of one request, with all elements that it takes; global and shared memory
  double requests = 0; // of a body: instructions of a warp; 0 for registers
  double width = 1;    // elements of a request
  // Of one request. `sectors` counts the request by itself. `newSectors` leaves out those that
  // other loads of the body have asked for.
  double sectors = 0, newSectors = 0, lines = 0;
  double passes = 0; // of the banks of shared memory

  bool isStore() const { return source == kStore; }
};

} // namespace tessera::cost
