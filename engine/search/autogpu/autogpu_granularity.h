// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_cost.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::search {

// The loops of a stage along which one iteration reads of a func what the one before read, too: the
// paper's reuse_per_stage, innermost first. Reads through inlined funcs count; what depends on data
// overlaps.
//
//   W(x, y) = K(x, y, 0) + K(x, y, 1)    none
//   Z(x, y) = W(x, y-1) + W(x, y+1)      y
std::vector<std::uint16_t> overlapLoops(const schedule::Schedule &schedule,
                                        pipeline::StageId consumer, pipeline::FuncId producer);

// Listing 2 of the paper for one member, when all that read it have their places: as far inside its
// last consumer as nothing is computed again. Nothing where it stays where it is.
std::optional<schedule::Place> nestedPlace(const schedule::Schedule &schedule,
                                           const search::AutoGpuGroup &group,
                                           pipeline::FuncId member);

} // namespace tessera::search
