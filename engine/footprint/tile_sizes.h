// SPDX-License-Identifier: MIT
#pragma once

#include "engine/footprint/level.h"
#include "engine/machine/machine.h"
#include "engine/schedule/edits/edits.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::footprint {

// An edge of the output's tile, and the part of a split that decides how long the tile is along a
// loop of the stage that owns the blocks. The user moves the edge to change this length.
struct TileEdge {
  pipeline::StageId owner{};
  Level level = Level::Block;
  std::uint16_t loop = 0;
  std::string name;      // of the loop
  std::int64_t size = 1; // present size of the tile along the loop
  schedule::LoopRef part;
  bool isNew = false; // there is no such part yet: larger sizes add one
  std::string whyNot; // why the edge cannot be moved; empty: it can

  bool isMovable() const { return whyNot.empty(); }
};
// One edge for each loop of the owner.
std::vector<TileEdge> tileEdges(const schedule::Schedule &schedule, const machine::Machine &machine,
                                pipeline::StageId owner, Level level);

// A size that the tile can be given, and the schedule that results.
struct TileSize {
  std::int64_t size = 1;
  schedule::Edit edit;
  std::optional<schedule::Schedule> after; // with the changes that `edit` requires; empty: illegal
  std::string refusal;                     // why it is not legal, and what is allowed

  bool isLegal() const { return after.has_value(); }
};
// Checks the sizes that are offered for an edge, in ascending order and without the present one,
// and passes each to `found`, legal or not. Returns after the last size or on a stop request.
void tileSizes(const schedule::Schedule &schedule, const TileEdge &edge,
               const machine::Machine &machine, const std::stop_token &stop,
               const std::function<void(TileSize)> &found);
std::vector<TileSize> tileSizes(const schedule::Schedule &schedule, const TileEdge &edge,
                                const machine::Machine &machine);

} // namespace tessera::footprint
