// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_tile_scan.h"

#include "engine/pipeline/measures.h"
#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <cmath>

// Sioutas et al. 2020, section 4.2.
namespace tessera::search {

using search::AutoGpuCost;
using search::AutoGpuPhase;

namespace {

// The number of tilings per step, times the members of the group. A step then takes about a
// millisecond.
constexpr std::size_t kMembersAStep = 24;
constexpr std::size_t kKept = 4; // number of best tilings that are kept, as some may be illegal
constexpr std::size_t kMostTilings = 4096;
constexpr std::size_t kThreadDims = 3;

std::int64_t roundedUp(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

} // namespace

AutoGpuTileScan::AutoGpuTileScan(const pipeline::Pipeline &pipeline, search::AutoGpuGroup group,
                                 const machine::Machine &machine, AutoGpuPhase phase,
                                 const AutoGpuParameters &parameters)
    : m_pipeline(&pipeline), m_machine(&machine), m_group(std::move(group)),
      m_work(autoGpuWork(pipeline, m_group)), m_phase(phase), m_parameters(parameters) {
  listTiles(Tiled::ByThePaper);
}

void AutoGpuTileScan::listTiles(Tiled which) {
  m_tiled = which;
  m_next = 0;
  std::vector<std::int64_t> extents;
  for (const pipeline::Interval &side : m_pipeline->func(m_group.output).region)
    extents.push_back(std::max<std::int64_t>(1, side.extent()));
  std::vector<bool> tiled = search::autoGpuTiledDims(extents, m_parameters.tiledDims);
  if (which == Tiled::Wide)
    for (std::size_t d = 0; d < extents.size(); ++d)
      tiled[d] = extents[d] > 1;
  // The first kThreadDims tiled dimensions have threads. A dimension that is not tiled is a loop
  // that each thread runs from end to end (section 4.3 of the paper).
  std::size_t threadDims = 0;
  m_group.threads.assign(extents.size(), false);
  for (std::size_t d = 0; d < extents.size(); ++d)
    m_group.threads[d] = tiled[d] && threadDims++ < kThreadDims;
  m_tiles = {{}};
  const auto dims = static_cast<int>(std::ranges::count(tiled, true));
  for (std::size_t d = 0; d < extents.size(); ++d)
    addDim(tiled[d] ? sizesOf(extents[d], dims) : std::vector{extents[d]});
}

std::vector<std::int64_t> AutoGpuTileScan::sizesOf(std::int64_t extent, int tiledDims) const {
  std::vector<std::int64_t> sizes =
      search::autoGpuTileSizes(extent, tiledDims, m_phase, ceiling(tiledDims));
  // Section 5.1: with OpenCL, tiles are at most half as large.
  if (m_machine->api == machine::Api::OpenCl)
    std::erase_if(sizes, [least = sizes.front(), most = sizes.back() / 2](std::int64_t size) {
      return size > most && size != least;
    });
  return sizes;
}

// The authors' code has this ceiling besides those of the extent.
std::int64_t AutoGpuTileScan::ceiling(int tiledDims) const {
  if (m_parameters.tileCeiling == AutoGpuReading::Paper) return INT64_MAX;
  constexpr std::int64_t kBytes = 64, kBytesOfTwo = 128; // with up to two dimensions of threads
  return (tiledDims <= 2 ? kBytesOfTwo : kBytes) /
         pipeline::elementBytes(m_pipeline->func(m_group.output));
}

// Extends each tile by the next dimension, with each of these sizes. Tiles with more threads than a
// block may have are left out.
void AutoGpuTileScan::addDim(const std::vector<std::int64_t> &sizes) {
  std::vector<std::vector<std::int64_t>> longer;
  for (std::vector<std::int64_t> &tile : m_tiles) {
    std::int64_t threads = 1;
    for (std::size_t d = 0; d < tile.size(); ++d)
      if (m_group.threads[d]) threads = pipeline::saturatingMultiply(threads, tile[d]);
    const bool isThread = m_group.threads[tile.size()];
    tile.push_back(0);
    for (const std::int64_t size : sizes) {
      if (isThread &&
          pipeline::saturatingMultiply(threads, size) > m_machine->limits.threadsPerBlock)
        continue;
      tile.back() = size;
      longer.push_back(tile);
    }
  }
  m_isThinned = m_isThinned || longer.size() > kMostTilings;
  while (longer.size() > kMostTilings) { // keeps every other tile
    for (std::size_t i = 1; 2 * i < longer.size(); ++i)
      longer[i] = std::move(longer[2 * i]);
    longer.resize((longer.size() + 1) / 2);
  }
  m_tiles = std::move(longer);
}

std::size_t AutoGpuTileScan::step(std::size_t most) {
  if (m_next == m_tiles.size() && mayListMore()) listTiles(Tiled::Wide);
  const std::size_t slice =
      std::min(most, std::max<std::size_t>(1, kMembersAStep / m_group.members.size()));
  std::size_t evaluated = 0;
  for (; evaluated < slice && m_next < m_tiles.size(); ++evaluated)
    keep(evaluate(m_tiles[m_next++]));
  return evaluated;
}

// The paper does not tile short dimensions. A layer of 14 × 14 × 512 then has tiles in one
// dimension only, too few for a block on every multiprocessor, and listing 1 refuses all of them.
// Not in the paper: in that case all dimensions are tiled.
bool AutoGpuTileScan::mayListMore() const {
  return m_parameters.wide == AutoGpuWide::Allowed && m_tiled == Tiled::ByThePaper &&
         (m_best.empty() || !m_best.front().valid);
}

AutoGpuTiling AutoGpuTileScan::evaluate(const std::vector<std::int64_t> &tiles) {
  m_group.tiles = tiles;
  const AutoGpuCost cost =
      search::autoGpuCost(*m_pipeline, m_work, m_group, *m_machine, m_phase, m_parameters);
  AutoGpuTiling tiling{tiles,          m_group.threads,     cost.total,
                       cost.valid,     cost.footprintBytes, cost.threads,
                       cost.occupancy, cost.activeThreads};
  if (cost.valid) return tiling;
  // A func that is too small for a block on every multiprocessor has no valid tiles by line 36 of
  // listing 1, but still has to be computed. Not in the paper: its cost is increased for idle
  // multiprocessors and lanes.
  const machine::Limits &limits = m_machine->limits;
  if (cost.threads > limits.threadsPerBlock || cost.footprintBytes > limits.sharedBytesPerBlock ||
      cost.activeSms <= 0)
    return tiling;
  double memory = cost.memory;
  if (m_phase == AutoGpuPhase::FinalTiles) memory /= cost.occupancy * cost.activeThreads;
  const double idleSms = static_cast<double>(m_machine->multiprocessors) / cost.activeSms;
  const double idleLanes = static_cast<double>(roundedUp(cost.threads, limits.warpSize)) /
                           static_cast<double>(cost.threads);
  tiling.cost = (cost.arithmetic + memory) * idleSms * idleLanes;
  return tiling;
}

void AutoGpuTileScan::keep(AutoGpuTiling tiling) {
  if (!std::isfinite(tiling.cost)) return;
  const auto isBetter = [](const AutoGpuTiling &a, const AutoGpuTiling &b) {
    if (a.valid != b.valid) return a.valid;
    if (a.cost != b.cost || a.tiles.empty()) return a.cost < b.cost;
    return a.tiles.front() > b.tiles.front(); // among equal costs, longer rows (not in the paper)
  };
  m_best.insert(std::ranges::upper_bound(m_best, tiling, isBetter), std::move(tiling));
  if (m_best.size() > kKept) m_best.pop_back();
}

} // namespace tessera::search
