// SPDX-License-Identifier: MIT
#pragma once

#include "engine/footprint/level.h"
#include "engine/machine/machine.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::footprint {

// What a thread, a warp, a block or the whole grid computes of the stage that owns a kernel's
// blocks. For a thread, this is one iteration of the loops around the thread loops.
struct Tile {
  struct Side {
    pipeline::Interval range;
    std::int64_t count = 1;  // tiles along this loop
    std::int64_t index = 0;  // of this tile among them
    std::int64_t step = 0;   // distance of the next tile
    std::int64_t points = 1; // points that the tile itself computes along this loop
    // The tiles beside it compute points between its own, so `range` holds more than `points`.
    bool isInterleaved = false;
  };
  std::vector<Side> sides; // by loop of the stage

  std::vector<pipeline::Interval> ranges() const;
  double count() const; // tiles in all
};

// `at` chooses the tile by its index along each loop. Along a loop without an index, or with a
// negative one, the tile is in the middle, where no boundary is near. Bounds measures that tile.
Tile tileOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
            const machine::Limits &limits, pipeline::StageId stage, Level level,
            std::span<const std::int64_t> at = {});

// The position in the nest of the innermost loop over blocks or threads; the number of loops where
// there is none. What is inside of it is what one block or thread computes.
std::size_t innermostBlock(const schedule::LoopNest &nest);
std::size_t innermostThread(const schedule::LoopNest &nest);

} // namespace tessera::footprint
