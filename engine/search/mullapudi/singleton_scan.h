// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/mullapudi/mullapudi_cost.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::search {

// How the loops of one stage are tiled, its reductions too, and what it then loads.
struct SingletonTile {
  pipeline::StageId stage{};
  std::vector<std::int64_t> sizes; // by loop of the stage
  double benefit = 0;              // loads saved
  double footprintBytes = 0;
};

// Listing 1 of Mullapudi et al. 2016, tile_singleton_group: tiles of a func that is not pure, for
// the reuse of what it reads. It evaluates a few tiles at a time. The paper allows one update; of
// several, that with the most loads is tiled here, and its sizes count for all along the dimensions
// of the func.
class SingletonScan {
public:
  SingletonScan(const pipeline::Pipeline &pipeline, pipeline::FuncId func,
                std::vector<pipeline::FuncId> inlined, const MullapudiParameters &parameters);

  // Evaluates at most `most` tiles. Returns how many; 0 means that it is finished.
  std::size_t step(std::size_t most);
  // Empty: SINGLE_ELEMENT_TILE.
  const std::optional<SingletonTile> &best() const { return m_best; }

  // Tiles of the listing, for tests: what lines 14 and 22 call footprint and tile_loads.
  struct Cost {
    double tiles = 1, footprintBytes = 0, tileLoads = 0, untiledLoads = 0;
  };
  Cost cost(const std::vector<std::int64_t> &sizes) const; // by loop of the tiled stage
  pipeline::StageId stage() const { return m_stage; }

private:
  std::vector<double> reuse() const;
  bool hasFittingBlock(const std::vector<std::int64_t> &sizes) const;

  const pipeline::Pipeline &m_pipeline;
  std::vector<pipeline::FuncId> m_inlined;
  const MullapudiParameters m_parameters;
  pipeline::StageId m_stage{};
  StageWork m_work;
  std::vector<std::vector<std::int64_t>> m_tiles;
  std::size_t m_next = 0;
  std::optional<SingletonTile> m_best;
};

} // namespace tessera::search
