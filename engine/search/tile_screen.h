// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/group.h"

#include <functional>
#include <optional>
#include <span>

namespace tessera::search {

// How long it takes with a tile; none where that is known by another tile, or cannot be.
using PredictTile = std::function<std::optional<double>(const Tile &)>;

// Predicts those of many tiles that are promising, where what there is takes `now`. Of tiles that
// are alike but for the points of a thread, samples come first: one point, and four in a column.
// From those that come near the best of all samples, or what there is, it goes on to tiles with
// points next to the fastest, as long as these are faster.
void predictPromising(std::span<const Tile> tiles, double now, const PredictTile &predict);

// Whether something as fast is near `now`.
bool isPromising(double seconds, double now);

} // namespace tessera::search
