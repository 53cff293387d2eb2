// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/loop_nest.h"
#include "engine/search/kernels/tile_dims.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::search {

// How the threads of a block share out all that it has of a stage: along up to three of its loops,
// and where these are fewer than the threads have dimensions, along the last of them, one row of
// threads after the other. What is left is loops of each thread, so that no thread waits for others
// between its turns.
struct BlockShare {
  std::array<std::size_t, 3> loops{kNone, kNone, kNone};
  std::array<std::int64_t, 3> threads{1, 1, 1};
  std::vector<std::size_t> joined; // one loop in the place of the first, innermost first
  std::int64_t ahead = 1;          // turns along the first that are unrolled
  std::size_t block = kNone;       // a loop that the blocks count through
};

// `unrolled`: of each loop, how many of its steps, where it is not shared out.
schedule::LoopNest blockNest(const pipeline::Stage &stage, std::span<const std::int64_t> extents,
                             std::span<const std::int64_t> unrolled, const BlockShare &share);

} // namespace tessera::search
