// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <set>

namespace tessera::search {

// The funcs of kernels with a frozen decision, and frozen ones that are inlined: AutoGPU leaves
// them alone, whole, as their places name each other's loops; auto begins with them as they are. A
// frozen register cap or promise keeps no kernel.
std::set<pipeline::FuncId> keptFuncs(const schedule::Schedule &schedule);

} // namespace tessera::search
