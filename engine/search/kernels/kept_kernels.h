// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <set>

namespace tessera::search {

// The funcs of kernels with a frozen decision or an opaque directive, and frozen funcs that are
// inlined. AutoGPU leaves
// these kernels unchanged, since the places of funcs in a kernel name loops of other funcs there.
// The `auto` search starts with these kernels as they are. A frozen register cap or promise does
// not count.
std::set<pipeline::FuncId> keptFuncs(const schedule::Schedule &schedule);

} // namespace tessera::search
