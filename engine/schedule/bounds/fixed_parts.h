// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/loop_nest.h"

#include <cstddef>

namespace tessera::schedule {

// Whether a part of an axis stands still in one iteration of the loop at `place`, an index into the
// loops of the nest: it is that loop or one further out, or is fused into such.
bool isFixed(const LoopNest &nest, LoopRef part, std::size_t place);
// Of a fused loop that is split across the place: where in its sources it is Halide does not see.
bool isPartlyFixed(const LoopNest &nest, LoopRef part, std::size_t place);
// Whether a part is a remainder of a fused loop, not the quotient that is left of it.
bool isRemainder(const LoopNest &nest, LoopRef part);

} // namespace tessera::schedule
