// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <cstddef>

namespace tessera::schedule {

// The loop that what is placed at one has to be at. A GPU has no level between the thread loops of
// a stage: each thread computes what it needs, at the innermost of them. And what is computed
// inside of a vectorised loop is outside of it, for the whole vector at once.
std::size_t tenableLoop(const LoopNest &nest, std::size_t at);

// After another decision: what was placed in loops that are now between threads, or vectorised,
// goes to where it can be; unrolled and vectorised loops of a kernel whose length now depends on
// the size are split, so that they have a constant one; and what a thread keeps is laid out so that
// vectors of it are no longer side by side, where they would not be aligned. What is frozen stays.
void follow(Schedule &schedule, const DecisionKey &changed);

} // namespace tessera::schedule
