// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"
#include "engine/search/auto/partial_sums.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tessera::search {

// Sums with long reductions that are read by one func, in kernels that take a notable part of the
// time, those of the slowest kernel first. Kernels with frozen decisions are left out.
std::vector<Sum> sumsToStage(const schedule::Schedule &schedule, const machine::Machine &machine);

// A schedule in which the threads of a block go through a sum's steps together. Each thread keeps
// some points in registers, and what the sum reads is fetched to shared memory some steps at a
// time. The tile and the register cap have the best predicted cost. Empty if no such schedule is
// legal.
struct Staged {
  std::optional<schedule::Schedule> schedule;
  std::size_t evaluations = 0;
};
Staged withStages(const schedule::Schedule &schedule, const Sum &sum,
                  const machine::Machine &machine);

} // namespace tessera::search
