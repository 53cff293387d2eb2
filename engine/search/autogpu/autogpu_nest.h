// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_cost.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <span>

namespace tessera::search {

// What becomes of the last tile where tiles do not divide a dimension: as Halide's automatic choice
// is (a pure func's moves inwards), or a guard everywhere.
enum class AutoGpuTails : std::uint8_t { Automatic, Guarded };

// Writes a group into a schedule as section 4.3 of the paper has it: blocks of tiles of the output,
// a thread for each point, all members in the output's blocks, in shared memory. Nothing where a
// member has no such place that all its readers are in.
std::optional<schedule::Schedule> withOverlappedTiles(const schedule::Schedule &schedule,
                                                      const search::AutoGpuGroup &group,
                                                      AutoGpuTails tails);

// Moves one member of a group that is written to another place.
schedule::Schedule withMemberAt(const schedule::Schedule &schedule,
                                const search::AutoGpuGroup &group, pipeline::FuncId member,
                                schedule::Place place);

} // namespace tessera::search
