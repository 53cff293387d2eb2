// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/search/kernels/group.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tessera::search {

// A way to write one kernel of a schedule.
struct KernelVariant {
  Group group;                           // with a tile, or as it is
  std::vector<pipeline::FuncId> inlined; // that were members
  double seconds = 0;                    // predicted, of the kernel alone
};

std::optional<schedule::Schedule> withVariant(const schedule::Schedule &schedule,
                                              const KernelVariant &variant,
                                              const FrozenDecisions &frozen = {});

// Ways to write the kernel that `variant` is a way of, those that our cost likes best first: with
// all tiles and those near its own, and with one member elsewhere (in the threads and not in the
// block, the other way round, inlined) and the best of those tiles. Not all are legal.
std::vector<KernelVariant> variantsAround(const schedule::Schedule &schedule,
                                          const KernelVariant &variant,
                                          const machine::Machine &machine, std::size_t most);

// How far apart two ways to write a kernel are: octaves between the sizes of their tiles, and one
// for each choice that differs. Squared, as distances are.
double squaredDistance(const KernelVariant &a, const KernelVariant &b);

} // namespace tessera::search
