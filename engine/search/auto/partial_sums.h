// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/auto/copies.h"
#include "engine/machine/machine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::search {

// A sum: an update of a func.
struct Sum {
  std::string func;
  std::uint32_t stage = 1;

  friend bool operator==(const Sum &, const Sum &) = default;
};

// Sums that may be split into partial sums, sorted by the time of their kernels, the slowest first.
// Short kernels are left out. Kernels with frozen decisions are left out, too.
std::vector<Sum> sumsToPart(const schedule::Schedule &schedule, const machine::Machine &machine);

// Schedules with partial results of a sum (rfactor), each for a strip of its steps. The number of
// strips varies. If there are few points, strips are divided into lanes, which the threads of a
// block add up in parallel. New funcs, funcs computed in loops that have changed, and copies of the
// sum's reads become kernels of their own or are inlined, to be placed again.
std::vector<WithCopies> withPartialSums(const schedule::Schedule &schedule, const Sum &sum,
                                        const machine::Machine &machine);

} // namespace tessera::search
