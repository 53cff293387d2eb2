// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/kernels/group.h"

#include <functional>
#include <optional>
#include <span>

namespace tessera::search {

// How long it takes with a tile; none where that is known by another tile, or cannot be.
using PredictTile = std::function<std::optional<double>(const Tile &)>;

// Predicts those of many tiles that are promising, where what there is takes `now`. Of tiles that
// are alike but for threads and points, samples come first: every other number of threads, with one
// point or four in a column. From each that is promising it goes on to the fastest of its
// neighbours, until none is faster: with more or fewer threads or points along one dimension, or
// with more of one kind and fewer of the other.
void predictPromising(std::span<const Tile> tiles, double now, const PredictTile &predict);

// Whether something as fast is near enough to `now` for that.
bool isPromising(double seconds, double now);

} // namespace tessera::search
