// SPDX-License-Identifier: MIT
#pragma once

#include "engine/footprint/needed_boxes.h"
#include "engine/footprint/tile.h"
#include "engine/cost/load/kernel_runs.h"
#include "engine/machine/machine.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::footprint {

// One dimension of a box, in the elements of its own func or input.
struct BoxSide {
  pipeline::Interval range;
  // The loop of the output that moves the box along this dimension. It is a reduction loop only if
  // no other loop moves the box. Empty: no loop does, so all tiles need the same range.
  std::optional<std::uint32_t> movedBy;
  double scale = 0; // elements for each step of that loop: 2 for f(2*x), 0.125 for a pyramid
  double step = 0;  // distance of the box of the next tile
  // The halo: how far the box reaches beyond the two ends of the tile, after they have been
  // multiplied by `scale`. Negative if the box begins or ends inside, as for f(x + 100).
  std::int64_t before = 0, after = 0;
  double overlap = 0; // elements that the boxes of two neighbouring tiles share
};

// What one tile of a level needs of a func or an input.
struct LevelBox {
  std::vector<BoxSide> sides;
  double points = 0;
  double own = 0;         // this tile's share, if tiles divide the points that several of them need
  std::int64_t bytes = 0; // kept for the tile, or read from global memory for it

  // Points in the boxes of all tiles, divided by the points that are needed at all, minus 1.
  double shared() const { return own > 0 ? points / own - 1 : 0; }
};

// From this share on, it is shown as the number of tiles that need each point, instead of in
// percent.
inline constexpr double kManyShared = 10;

// A func or an input in a kernel.
struct Entry {
  std::string name;
  pipeline::Producer producer;
  Role role = Role::Read;
  std::vector<std::string> dims; // names
  // By dimension: why all of the dimension is needed; empty if only a part is needed.
  std::vector<std::string> chosenBy;
  // Where its values are; none for an inlined func, which has no memory.
  std::optional<cost::MemorySpace> memory;
  schedule::Depth depth = schedule::Depth::Host; // of the place that it is computed at
  std::int64_t elementBytes = 4;
  // For members: what is kept in one iteration of that place, and the bytes of it.
  std::vector<pipeline::Interval> stored;
  std::int64_t storedBytes = 0;
  // For members and inlined funcs: computed points, divided by needed points, minus 1.
  std::optional<double> redundancy;
  std::array<LevelBox, kLevels> boxes;

  const LevelBox &at(Level level) const { return boxes[static_cast<std::size_t>(level)]; }
  bool isWhole() const; // whether all of some dimension is needed; see chosenBy
};

// The bytes of one tile, by the memory that holds them.
struct BytesBySpace {
  std::int64_t registers = 0, shared = 0, local = 0, global = 0;
};

// The tile footprints of one kernel: what a thread, a warp, a block and the grid need.
struct KernelFootprint {
  pipeline::StageId owner{};
  std::string name;               // of the stage that owns the blocks
  std::vector<std::string> loops; // names of its loops
  std::vector<bool> reductions;   // by loop
  cost::Launch launch;
  std::array<Tile, kLevels> tiles;
  std::vector<Entry> entries; // in the order of NeededBoxes::entries()
  std::array<BytesBySpace, kLevels> bytes;

  const Tile &tile(Level level) const { return tiles[static_cast<std::size_t>(level)]; }
  const BytesBySpace &bytesAt(Level level) const { return bytes[static_cast<std::size_t>(level)]; }
};

// The footprints of the kernels of one schedule. The constructor finds the bounds of all funcs. The
// time of each of() then depends only on the funcs of its kernel.
class Footprints {
public:
  // The schedule has to be legal, or at least sound (schedule::isSound).
  Footprints(const schedule::Schedule &schedule, const machine::Machine &machine);
  Footprints(const Footprints &) = delete; // Run::reads would point into the original
  Footprints &operator=(const Footprints &) = delete;

  std::span<const pipeline::StageId> kernels() const { return m_kernels; } // in launch order
  // `at`: which tile, as for tileOf().
  KernelFootprint of(pipeline::StageId owner, std::span<const std::int64_t> at = {}) const;

private:
  schedule::Schedule m_schedule;
  machine::Limits m_limits;
  schedule::Bounds m_bounds;
  cost::KernelRuns m_runs;
  std::vector<pipeline::StageId> m_kernels;
};

} // namespace tessera::footprint
