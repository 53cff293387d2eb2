// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/search/search.h"

#include <cstddef>
#include <vector>

namespace tessera::search {

// Legal schedules with one func moved to another kernel. Either a func with its own kernel moves
// into the blocks or threads of the kernel that reads it. Or a func computed in the blocks or
// threads of a kernel gets its own kernel, together with all funcs that only it reads. Each
// schedule has the tiles with the best predicted cost. The result is sorted by predicted cost, and
// leaves out schedules that are predicted to be much slower than `schedule`. Frozen decisions are
// kept. Used for tuning, since the cost model that chose among these may be wrong.
std::vector<Candidate> regroupings(const schedule::Schedule &schedule,
                                   const machine::Machine &machine, std::size_t most);

} // namespace tessera::search
