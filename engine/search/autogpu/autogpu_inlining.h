// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <optional>
#include <set>

namespace tessera::search {

// Section 4.1 of the paper: what is inlined before any cost is asked, as its consumer reads it
// point by point, or as it takes no more than a load of it would.
bool isTrivialForAutoGpu(const pipeline::Pipeline &pipeline, pipeline::FuncId func);

// The schedule with just those inlined, and a kernel of its own for each other func; what is in
// `kept` stays, and so does what is inlined into that.
schedule::Schedule withTrivialInlined(const schedule::Schedule &schedule,
                                      const std::set<pipeline::FuncId> &kept);

// Inlines one more: nothing where it cannot be, or where expressions grow too long for a compiler.
std::optional<schedule::Schedule> withInlined(const schedule::Schedule &schedule,
                                              pipeline::FuncId func);

} // namespace tessera::search
