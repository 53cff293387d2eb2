// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/loop_nest.h"

#include <cstddef>

namespace tessera::schedule {

// Whether a part of an axis is fixed in one iteration of the loop at `place`, an index into the
// loops of the nest. A part is fixed if it is that loop or one further out, or is fused into such
// loops.
bool isFixed(const LoopNest &nest, LoopRef part, std::size_t place);
// Whether a part belongs to a fused loop that is split across the place. Halide then does not see
// where the part is.
bool isPartlyFixed(const LoopNest &nest, LoopRef part, std::size_t place);
// Whether a part is computed as a remainder of a fused loop. The last source of a fused loop is
// not: it is the quotient.
bool isRemainder(const LoopNest &nest, LoopRef part);

} // namespace tessera::schedule
