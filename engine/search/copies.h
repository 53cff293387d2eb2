// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <set>
#include <string>
#include <vector>

namespace tessera::search {

// Copies of what kernels read of global memory, for each func that reads it several times in one
// evaluation: in the registers of a thread its points share them, in shared memory a block does.
// Without a copy they share nothing, as the compiler has to load again after each store.
//
// The schedule with such copies, inlined as yet, so that nothing has changed; most of the time
// first: `outputs` are those of the kernels in question, at most so many copies.
struct WithCopies {
  schedule::Schedule schedule;
  std::vector<pipeline::FuncId> readers; // that have one now, of the schedule's pipeline
};
WithCopies withCopies(const schedule::Schedule &schedule,
                      const std::vector<pipeline::FuncId> &outputs, std::size_t most);

// Without those of the copies that are still inlined.
schedule::Schedule withoutIdleCopies(const schedule::Schedule &schedule);

} // namespace tessera::search
