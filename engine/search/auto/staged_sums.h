// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"
#include "engine/search/auto/partial_sums.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tessera::search {

// Sums with long reductions that one func reads, of kernels that take at least a share of the
// whole; those of the longest kernel first. None that has anything frozen in its kernel.
std::vector<Sum> sumsToStage(const schedule::Schedule &schedule, const machine::Machine &machine);

// The schedule with a sum that the threads of a block go along together: each keeps some points in
// registers, and what they read is fetched to shared memory some steps at a time. With the tile and
// the register cap that our cost likes best; nothing where no such is legal.
struct Staged {
  std::optional<schedule::Schedule> schedule;
  std::size_t evaluations = 0;
};
Staged withStages(const schedule::Schedule &schedule, const Sum &sum,
                  const machine::Machine &machine);

} // namespace tessera::search
