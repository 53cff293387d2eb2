// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/auto/partial_sums.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tessera::search {

// Sums with long reductions, except for outputs, in kernels that take a notable part of the time.
// The sums of the slowest kernel come first. Kernels with frozen decisions are left out.
std::vector<Sum> sumsToStage(const schedule::Schedule &schedule, const machine::Machine &machine);

// A schedule in which all threads of a block run each step of a sum together. Each thread keeps the
// sums of some points in registers, and the block fetches what the sum reads to shared memory for
// some steps at a time. The tile and the register cap are those with the best predicted cost. Empty
// if no such schedule is legal, or if several stages read the sum.
struct Staged {
  std::optional<schedule::Schedule> schedule;
  std::size_t evaluations = 0;
};
Staged withStages(const schedule::Schedule &schedule, const Sum &sum,
                  const machine::Machine &machine);

} // namespace tessera::search
