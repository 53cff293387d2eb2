// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/tile_geometry.h"

#include <algorithm>

// The equations are those of section 4 of Jangda and Guha 2020.
namespace tessera::search {

Sides warpSizes(const Sides &block, std::int64_t warpSize) {
  // W_x = min(B_x, WarpSize), W_y = min(B_y, WarpSize ÷ W_x), W_z = min(B_z, WarpSize ÷ (W_x ×
  // W_y))
  Sides warp{1, 1, 1};
  for (std::size_t i = 0; i < block.size(); ++i)
    warp[i] = std::min(block[i], warpSize / volume(warp));
  return warp;
}

Sides tileSides(const Sides &tile, const Sides &block, TilePer per, std::int64_t warpSize) {
  Sides sides = per == TilePer::Warp ? warpSizes(block, warpSize) : block;
  for (std::size_t i = 0; i < sides.size(); ++i)
    sides[i] *= tile[i];
  return sides;
}

Sides tilesOfBlock(const Sides &block, TilePer per, std::int64_t warpSize) {
  if (per == TilePer::Block) return {1, 1, 1};
  const Sides warp = warpSizes(block, warpSize);
  Sides tiles{1, 1, 1};
  for (std::size_t i = 0; i < tiles.size(); ++i)
    tiles[i] = ceilingOf(block[i], warp[i]);
  return tiles;
}

} // namespace tessera::search
