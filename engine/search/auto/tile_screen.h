// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/kernels/group.h"

#include <functional>
#include <optional>
#include <span>

namespace tessera::search {

// Predicts the time with a tile. Empty if the tile is impossible or gives the same loops as an
// earlier one.
using PredictTile = std::function<std::optional<double>(const Tile &)>;

// Predicts only promising tiles, when the present time is `now`. Among tiles that differ only in
// threads and points, samples come first: every other number of threads, with one point or four in
// a column. From each promising sample the walk goes on to the fastest neighbour until none is
// faster. A neighbour has more or fewer threads or points along one dimension, or more of one kind
// and fewer of the other.
void predictPromising(std::span<const Tile> tiles, double now, const PredictTile &predict);

// Whether a tile with this time is near enough to `now` to try its neighbours.
bool isPromising(double seconds, double now);

} // namespace tessera::search
