// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/kernels/group.h"

#include <optional>

namespace tessera::search {

// Finds in the loops of a kernel the tile that it was written with.

// The tile that a group with none would be written with as it is; nothing where there is no such.
std::optional<Tile> tileOf(const schedule::Schedule &schedule, const Group &group,
                           const FrozenDecisions &frozen = {});

// The tile with the sizes that the loops of its output have, whether or not the group would be
// written as it is with that.
Tile tileLike(const schedule::Schedule &schedule, const Group &group);

} // namespace tessera::search
