// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/kernels/tile_dims.h"
#include "engine/schedule/loop_nest.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::search {

// How the threads of a block divide a stage's work in the block. The dimensions of the threads lie
// along up to three loops of the stage. Any further thread dimensions also lie along the last of
// these loops, one row of threads after the other. The remaining iterations of a loop, called
// turns, are a loop inside of each thread. If that loop were around the thread loops, the threads
// would have to wait for each other between turns.
struct BlockShare {
  std::array<std::size_t, 3> loops{kNone, kNone, kNone};
  std::array<std::int64_t, 3> threads{1, 1, 1};
  // Loops that are fused and replace the first loop, innermost first.
  std::vector<std::size_t> joined;
  std::int64_t ahead = 1;    // turns of the first loop that are unrolled
  std::size_t block = kNone; // the loop that becomes a block loop, if any
};

// `unrolled` has the number of steps to unroll in each loop that the threads do not divide.
schedule::LoopNest blockNest(const pipeline::Stage &stage, std::span<const std::int64_t> extents,
                             std::span<const std::int64_t> unrolled, const BlockShare &share);

} // namespace tessera::search
