// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <cstddef>

namespace tessera::search {

// A schedule in which funcs are stored with another dimension innermost, where our cost likes that
// better: the numbers that a thread reads together lie side by side then, or those that data choose
// among lie close to one another. Of funcs in memory that kernels with a share of the whole read;
// none of a kernel with anything frozen.
struct Laid {
  schedule::Schedule schedule;
  std::size_t changed = 0;
  std::size_t evaluations = 0;
};
Laid withLayouts(const schedule::Schedule &schedule, const machine::Machine &machine);

} // namespace tessera::search
