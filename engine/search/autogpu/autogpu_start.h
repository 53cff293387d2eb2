// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"
#include "engine/search/kernels/frozen_decisions.h"

#include <optional>
#include <set>

namespace tessera::search {

// The schedule that AutoGPU begins with: nothing is decided but what is frozen.
struct AutoGpuStart {
  schedule::Schedule schedule;     // legal, with all frozen decisions
  std::set<pipeline::FuncId> kept; // stay as they are
  // Have frozen decisions, or loops that a frozen place names. All else of them is free.
  std::set<pipeline::FuncId> held;
};

// A kernel in which something is frozen begins anew around that; a func with a frozen place stays
// in the kernel of its consumer. Where no legal schedule does so, or where stages share loops, the
// whole kernel is kept. Empty if there is no legal schedule at all.
std::optional<AutoGpuStart> autoGpuStart(const schedule::Schedule &start,
                                         const machine::Machine &machine,
                                         const FrozenDecisions &frozen);

} // namespace tessera::search
