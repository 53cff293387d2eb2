// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/dp_fusion/dp_cost.h"
#include "engine/schedule/schedule.h"
#include "engine/search/kernels/frozen_decisions.h"

#include <optional>

namespace tessera::search {

// Writes a group into a schedule with an overlapped tile for each block (figure 3 of Jangda and
// Guha 2020): the threads of a block compute each member over all that the tile needs, in turns if
// there are more points than threads, into shared memory. Adjacent threads compute adjacent points.
// Empty if a frozen decision forbids it.
//
// Tiles of warps and tiles that are partly in registers will be further writers of this kind.
std::optional<schedule::Schedule> withOverlappedTile(const schedule::Schedule &schedule,
                                                     const DpGroup &group, const DpSizes &sizes,
                                                     const FrozenDecisions &frozen);

} // namespace tessera::search
