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

// Predicts only promising tiles, compared with `now`, the predicted time without a change. Tiles
// that differ only in threads and points form a family. Samples of a family are predicted first:
// tiles with 128 or 512 threads, one point along x, and one or four along y (2 × 4 points for
// staged sums). From each promising sample, a walk goes to the fastest neighbour again and again,
// until no neighbour is faster. A neighbour has more or fewer threads or points along one
// dimension, or one size doubled and another halved.
void predictPromising(std::span<const Tile> tiles, double now, const PredictTile &predict);

// Whether a tile's time `seconds` is close enough to `now` to try the tile's neighbours.
bool isPromising(double seconds, double now);

} // namespace tessera::search
