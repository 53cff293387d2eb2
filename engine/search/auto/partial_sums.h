// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/search/kernels/copies.h"

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
// Sums in short kernels are left out.
std::vector<Sum> sumsToPart(const schedule::Schedule &schedule, const machine::Machine &machine);

// Schedules in which a sum has partial results (rfactor), one for each strip of its steps. The
// schedules differ in the number of strips. If there are few points, strips are divided into lanes,
// which the threads of a block add up in parallel. New funcs and funcs computed in loops that have
// changed become kernels of their own, and copies of the sum and of the sums that it reads are
// inlined, all to be placed again. Empty if frozen decisions forbid the partial results.
std::vector<WithCopies> withPartialSums(const schedule::Schedule &schedule, const Sum &sum,
                                        const machine::Machine &machine);

} // namespace tessera::search
