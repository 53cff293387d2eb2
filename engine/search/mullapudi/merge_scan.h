// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/mullapudi/mullapudi_kernel.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::search {

// Listing 2 of Mullapudi et al. 2016, evaluate_group_merge: the tiles for a merged group, and what
// each gains. It evaluates a few tiles at a time.
class MergeScan {
public:
  // With `onlyTile`, no other tile is evaluated.
  MergeScan(const pipeline::Pipeline &pipeline, const MullapudiKernel &producer,
            const MullapudiKernel &consumer, const MullapudiParameters &parameters,
            std::optional<std::vector<std::int64_t>> onlyTile = {});

  // Evaluates at most `most` tiles. Returns how many; 0 means that it is finished.
  std::size_t step(std::size_t most);

  struct Tiling {
    MullapudiKernel kernel;
    double benefit = 0;
  };
  // The best few with a benefit, the best first. Several, as the first may not be legal.
  const std::vector<Tiling> &best() const { return m_best; }

  // For tests: no_merge_cost of line 19, and merge_cost of line 36 with these tile sizes.
  double unmergedCost() const { return m_unmerged; }
  double mergedCost(const std::vector<std::int64_t> &tile);

private:
  void evaluate(const std::vector<std::int64_t> &tile);
  bool fits(const MullapudiRegionCost &cost, const std::vector<std::int64_t> &tile) const;

  const MullapudiParameters m_parameters;
  MullapudiGroup m_merged;
  MullapudiCost m_cost;
  double m_unmerged = 0;
  std::vector<std::vector<std::int64_t>> m_tiles;
  std::size_t m_next = 0, m_tilesAStep = 1;
  std::vector<Tiling> m_best;
};

} // namespace tessera::search
