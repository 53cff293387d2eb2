// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/dp_fusion/dp_cost.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::search {

// The argmin of section 6 of Jangda and Guha 2020 over tile sizes, block sizes and transaction
// sizes, and for tiles of warps over the fraction of a tile that is in registers. It evaluates the
// sizes of a few blocks at a time.
class SizeScan {
public:
  // Powers: tile sizes are powers of two. All: from 1 to MAX_TILE in the first two dimensions.
  enum class Tiles : std::uint8_t { Powers, All };
  SizeScan(DpCost cost, Tiles tiles, TilePer per, const machine::Machine &machine,
           const DpParameters &parameters);

  // Evaluates the sizes of the next block. Returns false if there is none.
  bool step();

  struct Choice {
    DpSizes sizes;
    DpTerms terms;
  };
  // The best of some blocks, the best first. Several, as the first may not be legal. Empty: the
  // cost is infinite.
  const std::vector<Choice> &best() const { return m_best; }

private:
  void evaluate(const Sides &block);
  bool evaluate(const Sides &tile, const Sides &block, Choice &best);
  void add(const Choice &choice);

  DpCost m_cost;
  const TilePer m_per;
  std::vector<Sides> m_blocks;
  std::size_t m_next = 0;
  std::array<std::vector<std::int64_t>, 3> m_tiles; // by dimension
  std::vector<Choice> m_best;
};

} // namespace tessera::search
