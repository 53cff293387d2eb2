// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_cost.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::search {

// Tile sizes of a group's output, and their cost by AutoGPU's model.
struct AutoGpuTiling {
  std::vector<std::int64_t> tiles; // as AutoGpuGroup::tiles
  std::vector<bool> threads;       // as AutoGpuGroup::threads
  double cost = std::numeric_limits<double>::infinity();
  bool valid = false; // true: valid by listing 1; an invalid tiling may still be launchable
  std::int64_t footprintBytes = 0;
  std::int64_t blockThreads = 1;
  double occupancy = 1;
  double activeThreads = 0; // per multiprocessor
};

// Evaluates all tile sizes of one group, a few at a time.
class AutoGpuTileScan {
public:
  // The tiles and threads in `group` are ignored.
  AutoGpuTileScan(const pipeline::Pipeline &pipeline, search::AutoGpuGroup group,
                  const machine::Machine &machine, search::AutoGpuPhase phase,
                  const AutoGpuParameters &parameters = {});

  // Evaluates at most `most` tilings. Returns how many it evaluated; 0 means that it is finished.
  std::size_t step(std::size_t most);

  const search::AutoGpuGroup &group() const { return m_group; }
  // Sorted, the best first: tilings that are valid by listing 1 come before those that can only be
  // launched.
  const std::vector<AutoGpuTiling> &best() const { return m_best; }
  // Whether dimensions were tiled that the paper does not tile, and whether only some of the
  // tilings were evaluated, as there were too many. Neither is in the paper.
  bool isWide() const { return m_tiled == Tiled::Wide; }
  bool isThinned() const { return m_isThinned; }

private:
  // Which dimensions are tiled. Wide: also those that the paper does not tile.
  enum class Tiled : std::uint8_t { ByThePaper, Wide };

  void listTiles(Tiled tiled);
  std::vector<std::int64_t> sizesOf(std::int64_t extent, int tiledDims) const;
  std::int64_t ceiling(int tiledDims) const;
  void addDim(const std::vector<std::int64_t> &sizes);
  AutoGpuTiling evaluate(const std::vector<std::int64_t> &tiles);
  bool mayListMore() const;
  void keep(AutoGpuTiling tiling);

  const pipeline::Pipeline *m_pipeline;
  const machine::Machine *m_machine;
  search::AutoGpuGroup m_group;
  AutoGpuWork m_work;
  search::AutoGpuPhase m_phase;
  AutoGpuParameters m_parameters;
  std::vector<std::vector<std::int64_t>> m_tiles;
  Tiled m_tiled = Tiled::ByThePaper;
  bool m_isThinned = false;
  std::size_t m_next = 0;
  std::vector<AutoGpuTiling> m_best;
};

} // namespace tessera::search
