// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <optional>
#include <set>

namespace tessera::search {

// Section 4.1 of the paper: funcs that are inlined before any cost is computed, because their
// consumer reads them point by point, or because they cost no more than a load of their value.
bool isTrivialForAutoGpu(const pipeline::Pipeline &pipeline, pipeline::FuncId func);

// The schedule in which only the trivial funcs (isTrivialForAutoGpu) are inlined, and each other
// func has a kernel. Funcs in `kept`, and those inlined into them, stay unchanged.
schedule::Schedule withTrivialInlined(const schedule::Schedule &schedule,
                                      const std::set<pipeline::FuncId> &kept);

// Inlines one more func. Empty if it cannot be inlined, or if expressions get too long for a
// compiler.
std::optional<schedule::Schedule> withInlined(const schedule::Schedule &schedule,
                                              pipeline::FuncId func);

} // namespace tessera::search
