// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/search/search.h"

#include <cstddef>
#include <vector>

namespace tessera::search {

// Legal schedules with one func in another kernel: what has a kernel of its own in the blocks or
// the threads of the one that reads it, and what is computed in these as a kernel of its own, with
// all that it alone reads. Each has the tiles that our cost likes best; those that it likes best
// first, and none that it finds hopeless. What is frozen stays. For tuning: our cost has chosen
// among these, and may be wrong.
std::vector<Candidate> regroupings(const schedule::Schedule &schedule,
                                   const machine::Machine &machine, std::size_t most);

} // namespace tessera::search
