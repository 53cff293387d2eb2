// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <cstddef>

namespace tessera::schedule {

// The loop that what is placed at one has to be at. A GPU has no level between the thread loops of
// a stage: each thread computes what it needs, at the innermost of them. And what is computed
// inside of a vectorised loop is outside of it, for the whole vector at once.
std::size_t tenableLoop(const LoopNest &nest, std::size_t at);

// After another decision about a func: what was placed in loops of it that are now between threads,
// or vectorised, goes to where it can be, unless its place is frozen.
void follow(Schedule &schedule, pipeline::FuncId changed);

} // namespace tessera::schedule
