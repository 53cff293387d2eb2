// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <cstdint>

namespace tessera::search {

// The bytes between what two successive iterations of a loop read and write, summed over all loads
// and the store of a stage. What inlined funcs read counts as read by the stage.
//
//   f(x, y, c) = in(x, y, c)     x: 8, y: 8 · width, c: 8 · width · height (of two floats)
double strideAlong(const schedule::Schedule &schedule, pipeline::StageId stage, std::uint16_t loop);

// Orders the loops inside of threads by their strides, the smallest innermost (section 4.3 of the
// paper). Reductions keep their order among each other, on which their values may depend.
void orderByStride(const schedule::Schedule &schedule, pipeline::StageId stage,
                   schedule::LoopNest &nest);

} // namespace tessera::search
