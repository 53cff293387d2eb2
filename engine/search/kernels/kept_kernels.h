// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <set>

namespace tessera::search {

// The funcs of kernels with a frozen decision or an opaque directive, and frozen funcs that are
// inlined. The `auto` search starts with these kernels as they are, since the places of funcs in a
// kernel name loops of other funcs there; other searches do so where they cannot begin anew. A
// frozen register cap or promise does not count.
std::set<pipeline::FuncId> keptFuncs(const schedule::Schedule &schedule);

// Those of `kept` that may be searched around their frozen decisions: each is a kernel by itself.
std::set<pipeline::FuncId> keptAlone(const schedule::Schedule &schedule,
                                     const std::set<pipeline::FuncId> &kept);

// `kept`, and what these funcs compute in their expressions. That stays there, since members of
// kept kernels have their places inside of them.
std::set<pipeline::FuncId> withTheirInlined(const schedule::Schedule &schedule,
                                            const std::set<pipeline::FuncId> &kept);

} // namespace tessera::search
