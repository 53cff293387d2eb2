// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_parameters.h"
#include "engine/machine/machine.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::search {

inline constexpr std::int64_t kBeamWarp = 32; // threads, on whatever GPU
inline constexpr std::size_t kMostThreadDims = 3;

// Sizes by dimension of a func.
using BeamSizes = std::vector<std::int64_t>;

// A kernel's three levels of loops (section 6.1 to 6.3 of Anderson et al. 2021): a thread computes
// `serial` points, a block has `threads`, and blocks make the rest.
struct BeamTile {
  BeamSizes serial, threads;
  std::size_t innermost = 0; // the dimension that neighbouring threads lie along

  friend bool operator==(const BeamTile &, const BeamTile &) = default;
};

// Section 6.1: serial loops of 1, 2, 4 and 8 iterations in each dimension, and of 3, 5 and 7 where
// whole warps are left. All combinations, the smallest first.
std::vector<BeamSizes> serialSizes(std::span<const std::int64_t> extents,
                                   const BeamParameters &parameters);

// Section 6.2: the first dimension of 16 or more; without one, the first.
std::size_t innermostDimension(std::span<const std::int64_t> extents);

// Section 6.2: the threads that a block may have over these extents, which are what serial loops
// leave.
std::vector<BeamSizes> threadSizes(std::span<const std::int64_t> extents,
                                   const BeamParameters &parameters, const machine::Limits &limits);

// All tiles of a kernel. Where any keep the machine busy (sections 6.3 and 6.6), only those.
std::vector<BeamTile> rootTiles(std::span<const std::int64_t> extents,
                                const BeamParameters &parameters, const machine::Machine &machine);

// How many blocks there are along each dimension.
BeamSizes blocksOf(std::span<const std::int64_t> extents, const BeamTile &tile);
// What is left of the extents outside of serial loops.
BeamSizes outsideOf(std::span<const std::int64_t> extents, std::span<const std::int64_t> serial);
// The product of all sizes.
std::int64_t productOf(std::span<const std::int64_t> sizes);
// The part of the lanes of a block's warps that have no thread.
double idleLanes(std::int64_t threads);

} // namespace tessera::search
