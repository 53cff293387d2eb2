// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_cost.h"
#include "engine/schedule/schedule.h"
#include "engine/search/kernels/frozen_decisions.h"

#include <optional>
#include <span>

namespace tessera::search {

// The tail of the last tile if tiles do not divide a dimension. Automatic: as Halide chooses (a
// pure func's tile is shifted inwards). Guarded: always a guard.
enum class AutoGpuTails : std::uint8_t { Automatic, Guarded };

// What the loops of a group depend on besides the group.
struct AutoGpuForm {
  AutoGpuParameters parameters = {};
  FrozenDecisions frozen = {}; // a member with a frozen place has that place
};

// Writes a group into a schedule as in section 4.3 of the paper: blocks of tiles of the output, a
// thread for each point, and all members in the output's blocks, in shared memory. Empty if a
// member has no such place around all of its readers, or if frozen decisions forbid it.
std::optional<schedule::Schedule> withOverlappedTiles(const schedule::Schedule &schedule,
                                                      const search::AutoGpuGroup &group,
                                                      AutoGpuTails tails,
                                                      const AutoGpuForm &form = {});

// Moves one member of a written group to another place. Empty if frozen decisions forbid it.
std::optional<schedule::Schedule> withMemberAt(const schedule::Schedule &schedule,
                                               const search::AutoGpuGroup &group,
                                               pipeline::FuncId member, schedule::Place place,
                                               const AutoGpuForm &form = {});

} // namespace tessera::search
