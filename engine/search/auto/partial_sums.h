// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/search/auto/copies.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::search {

// An update with more steps than threads to take them.
struct Sum {
  std::string func;
  std::uint32_t stage = 1;

  friend bool operator==(const Sum &, const Sum &) = default;
};

// Sums that may be made in parts, of kernels that take at least a share of the whole; those of the
// longest kernel first. None that has anything frozen in its kernel.
std::vector<Sum> sumsToPart(const schedule::Schedule &schedule, const machine::Machine &machine);

// The schedule with partial results of a sum (rfactor), each for a strip of its steps: in different
// numbers of strips, and where there are few points, strips in lanes that a block's threads add up
// side by side. What is new, what was computed in loops that are others now, and copies of what it
// reads are kernels of their own or inlined: to be placed anew.
std::vector<WithCopies> withPartialSums(const schedule::Schedule &schedule, const Sum &sum,
                                        const machine::Machine &machine);

} // namespace tessera::search
