// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/loop_nest.h"

#include <cstddef>

namespace tessera::schedule {

// Whether the index of a part of an axis is fixed in one iteration of the loop at `place`, an index
// into the loops of the nest. It is fixed if the part is that loop or a loop around it, or is fused
// into such loops.
bool isFixed(const LoopNest &nest, LoopRef part, std::size_t place);
// Whether a part is fused into an axis that has a loop at or around `place`. If other loops of that
// axis are inside of `place`, Halide does not know the index of the part.
bool isPartlyFixed(const LoopNest &nest, LoopRef part, std::size_t place);
// Whether the index of a part is computed as a remainder of the index of a fused loop. The index of
// the last source of a fused loop is not a remainder, but the quotient.
bool isRemainder(const LoopNest &nest, LoopRef part);

} // namespace tessera::schedule
