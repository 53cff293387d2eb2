// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/mullapudi/mullapudi_kernel.h"
#include "engine/schedule/schedule.h"
#include "engine/search/kernels/frozen_decisions.h"

#include <cstdint>
#include <optional>
#include <span>

namespace tessera::search {

// How the loops of a group are written. The first of each is what the paper says; the others are
// tried where the rules refuse that.
struct NestForm {
  // ShiftInwards: as Halide chooses for pure funcs. Guarded: a guard around what is beyond the end.
  enum class Tails : std::uint8_t { Shifted, Guarded } tails = Tails::Shifted;
  // ByReuse: section 4.4, the loop with the greatest reuse innermost. AsDeclared: as Halide has
  // them.
  enum class Order : std::uint8_t { ByReuse, AsDeclared } order = Order::ByReuse;
  // Tiled: listing 1 tiles reductions too. Whole: each thread runs them from end to end.
  enum class Reductions : std::uint8_t { Tiled, Whole } reductions = Reductions::Tiled;

  friend bool operator==(const NestForm &, const NestForm &) = default;
};

// Writes a group into a schedule (sections 4.4 and 5.4 of Mullapudi et al. 2016): a block for each
// tile of the output, a thread for each point of a tile along up to three dimensions, all other
// members at the innermost block loop, and so in shared memory. `reuse` is by dimension of the
// output. Empty if a member has no such place around all of its readers, or if a frozen decision
// forbids it.
std::optional<schedule::Schedule> withMullapudiKernel(const schedule::Schedule &schedule,
                                                      const MullapudiKernel &kernel,
                                                      std::span<const double> reuse, NestForm form,
                                                      const FrozenDecisions &frozen);

} // namespace tessera::search
