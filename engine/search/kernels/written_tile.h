// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/kernels/group.h"

#include <optional>

namespace tessera::search {

// Finds the tile that a kernel's loops were written with.

// The tile with which withGroup() would write the group's present loops; empty if there is none.
std::optional<Tile> tileOf(const schedule::Schedule &schedule, const Group &group,
                           const FrozenDecisions &frozen = {});

// A tile with the sizes of the output's present loops. Unlike for tileOf(), withGroup() may write
// other loops for it.
Tile tileLike(const schedule::Schedule &schedule, const Group &group);

} // namespace tessera::search
