// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <set>

namespace tessera::search {

// The funcs that a search leaves alone: a kernel with a frozen decision stays as it is, whole, as
// its places name each other's loops. A frozen register cap or promise keeps no kernel.
std::set<pipeline::FuncId> keptFuncs(const schedule::Schedule &schedule);

} // namespace tessera::search
