// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_cost.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::search {

// The loops of a stage, innermost first, along which two successive iterations read some elements
// of a func in common: the paper's reuse_per_stage. Reads through inlined funcs count. Reads at
// indices that depend on data count as overlapping.
//
//   W(x, y) = K(x, y, 0) + K(x, y, 1)    none
//   Z(x, y) = W(x, y-1) + W(x, y+1)      y
std::vector<std::uint16_t> overlapLoops(const schedule::Schedule &schedule,
                                        pipeline::StageId consumer, pipeline::FuncId producer,
                                        AutoGpuOverlap overlap = AutoGpuOverlap::Inner);

// Listing 2 of the paper for one member. All its readers must have their places. The result is as
// far inside its last consumer as is possible without computing anything twice. Empty if the member
// stays where it is.
std::optional<schedule::Place> nestedPlace(const schedule::Schedule &schedule,
                                           const search::AutoGpuGroup &group,
                                           pipeline::FuncId member,
                                           AutoGpuOverlap overlap = AutoGpuOverlap::Inner);

} // namespace tessera::search
