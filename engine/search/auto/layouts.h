// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <cstddef>

namespace tessera::search {

// A schedule in which funcs are stored with another dimension innermost, if the predicted cost is
// better. The purpose is that the elements that a thread reads together are adjacent, or that
// elements at indices that depend on data are closer together. Only funcs in memory are tried, and
// only if a kernel that reads them takes a notable part of the time. Kernels with frozen decisions
// are left out.
struct Laid {
  schedule::Schedule schedule;
  std::size_t changed = 0;
  std::size_t evaluations = 0;
};
Laid withLayouts(const schedule::Schedule &schedule, const machine::Machine &machine);

} // namespace tessera::search
