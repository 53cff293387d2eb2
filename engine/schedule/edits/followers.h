// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <cstddef>

namespace tessera::schedule {

// The loop at which a func can be placed instead of the one at `at`. A GPU has no level between the
// thread loops of a stage: each thread computes what it needs, inside of the innermost of them. A
// func inside of a vectorised loop moves outside of it, and is computed for the whole vector at
// once.
std::size_t tenableLoop(const LoopNest &nest, std::size_t at);

// Call this after a decision about `changed`. If `changed`, or a func in its loops, is now placed
// between thread loops or inside of a vectorised loop, moves that func to a possible place, unless
// its place is frozen.
void follow(Schedule &schedule, pipeline::FuncId changed);

} // namespace tessera::schedule
