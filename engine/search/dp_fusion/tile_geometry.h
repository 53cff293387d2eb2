// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace tessera::search {

// What has its own overlapped tile. The search writes tiles of blocks; the cost function also knows
// tiles of warps, as section 4 of Jangda and Guha 2020 has them.
enum class TilePer : std::uint8_t { Block, Warp };

using Sides = std::array<std::int64_t, 3>; // along x, y, z

inline std::int64_t volume(const Sides &sides) { return sides[0] * sides[1] * sides[2]; }
inline std::int64_t ceilingOf(std::int64_t number, std::int64_t by) {
  return (number + by - 1) / by;
}

// W of section 4: how many threads of a warp have distinct ids along each dimension of the block.
//
//   block 16 × 8 × 1     16 × 2 × 1
Sides warpSizes(const Sides &block, std::int64_t warpSize);

// T_i · W_i of section 4, or T_i · B_i for a tile of a block: the size of an overlapped tile
// without its overlap. Each thread computes `tile` points of it.
Sides tileSides(const Sides &tile, const Sides &block, TilePer per, std::int64_t warpSize);

// ⌈B_i / W_i⌉ of section 4: the tiles of a block. 1 for tiles of blocks.
Sides tilesOfBlock(const Sides &block, TilePer per, std::int64_t warpSize);

} // namespace tessera::search
