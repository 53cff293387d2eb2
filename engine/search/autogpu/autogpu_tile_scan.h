// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_cost.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::search {

// Tile sizes of a group's output, and what the model of AutoGPU says of them.
struct AutoGpuTiling {
  std::vector<std::int64_t> tiles; // as AutoGpuGroup::tiles
  std::vector<bool> threads;       // as AutoGpuGroup::threads
  double cost = std::numeric_limits<double>::infinity();
  bool valid = false; // by listing 1; if not, a launch may still be possible, at a higher cost
  std::int64_t footprintBytes = 0;
  std::int64_t blockThreads = 1;
};

// Goes through all tile sizes of one group, a few at a time.
class AutoGpuTileScan {
public:
  // The group's own tiles and threads do not matter.
  AutoGpuTileScan(const pipeline::Pipeline &pipeline, search::AutoGpuGroup group,
                  const machine::Machine &machine, search::AutoGpuPhase phase);

  // How many it evaluated, of so many at most; 0: it is done.
  std::size_t step(std::size_t most);

  const search::AutoGpuGroup &group() const { return m_group; }
  // The best first: those that listing 1 calls valid, then those that can be launched at all.
  const std::vector<AutoGpuTiling> &best() const { return m_best; }

private:
  // Which dimensions are tiled. Wide: those also that the paper leaves whole.
  enum class Tiled : std::uint8_t { ByThePaper, Wide };

  void listTiles(Tiled tiled);
  std::vector<std::int64_t> sizesOf(std::int64_t extent, int tiledDims) const;
  void addDim(const std::vector<std::int64_t> &sizes);
  AutoGpuTiling evaluate(const std::vector<std::int64_t> &tiles);
  bool mayListMore() const;
  void keep(AutoGpuTiling tiling);

  const pipeline::Pipeline *m_pipeline;
  const machine::Machine *m_machine;
  search::AutoGpuGroup m_group;
  search::AutoGpuPhase m_phase;
  std::vector<std::vector<std::int64_t>> m_tiles;
  Tiled m_tiled = Tiled::ByThePaper;
  std::size_t m_next = 0;
  std::vector<AutoGpuTiling> m_best;
};

} // namespace tessera::search
