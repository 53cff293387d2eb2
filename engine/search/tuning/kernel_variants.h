// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/search/kernels/group.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tessera::search {

// One of the forms that a kernel of a schedule can have.
struct KernelVariant {
  Group group;                           // empty tile: the loops stay as they are in the schedule
  std::vector<pipeline::FuncId> inlined; // former members that are inlined now; ids as in `group`
  double seconds = 0;                    // predicted, of this kernel alone
};

std::optional<schedule::Schedule> withVariant(const schedule::Schedule &schedule,
                                              const KernelVariant &variant,
                                              const FrozenDecisions &frozen = {});

// Other variants of the same kernel, sorted by predicted cost: with all tiles, with tiles near its
// own, and with one member moved (from block to thread or back, or inlined) and the best of those
// tiles. Some may be illegal.
std::vector<KernelVariant> variantsAround(const schedule::Schedule &schedule,
                                          const KernelVariant &variant,
                                          const machine::Machine &machine, std::size_t most);

// The squared distance of two variants of a kernel: the sum of the squared differences of tile
// sizes (in octaves) and of the number of inlined funcs, plus 1 for each other choice that differs.
double squaredDistance(const KernelVariant &a, const KernelVariant &b);

} // namespace tessera::search
