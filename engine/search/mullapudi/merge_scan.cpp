// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/merge_scan.h"

#include "engine/search/mullapudi/mullapudi_tiles.h"

#include <algorithm>

// Mullapudi et al. 2016, section 4.2.3; "line n" is a line of listing 2. What the listing calls
// num_tiles in lines 30 and 36 is total_tiles of line 27.
namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;

namespace {

constexpr std::size_t kMembersAStep = 64; // tiles of a step times members: about a millisecond
constexpr std::size_t kKept = 4;

std::vector<std::int64_t> extentsOf(const Pipeline &pipeline, FuncId func) {
  std::vector<std::int64_t> extents;
  for (const pipeline::Interval &side : pipeline.func(func).region)
    extents.push_back(std::max<std::int64_t>(1, side.extent()));
  return extents;
}

} // namespace

MergeScan::MergeScan(const Pipeline &pipeline, const MullapudiKernel &producer,
                     const MullapudiKernel &consumer, const MullapudiParameters &parameters,
                     std::optional<std::vector<std::int64_t>> onlyTile)
    : m_parameters(parameters), m_merged(mergedGroup(producer.group, consumer.group)),
      m_cost(pipeline, m_merged, parameters),
      m_unmerged(producer.cost(parameters) + consumer.cost(parameters)), // lines 15 to 19
      m_tilesAStep(std::max<std::size_t>(1, kMembersAStep / m_merged.members.size())) {
  if (onlyTile)
    m_tiles.push_back(std::move(*onlyTile));
  else
    m_tiles = mullapudiTiles(extentsOf(pipeline, m_merged.output), m_cost.reuse(), parameters);
}

double MergeScan::mergedCost(const std::vector<std::int64_t> &tile) {
  const MullapudiRegionCost cost = m_cost.of(m_cost.tileBox(tile));
  return m_cost.tiles(tile) * (cost.arithmetic + m_parameters.loadCost * cost.loads);
}

// Lines 30 to 32, and the threads of a block (section 5.4): as many as a launch has, so that each
// point of each member has one.
bool MergeScan::fits(const MullapudiRegionCost &cost, const std::vector<std::int64_t> &tile) const {
  const auto threads = static_cast<double>(m_cost.blockThreads(tileThreads(tile)));
  return m_cost.tiles(tile) >= m_parameters.parallelismThreshold &&
         cost.footprintBytes <= m_parameters.cacheSize &&
         threads >= m_parameters.targetThreadsPerBlock &&
         threads <= m_parameters.maxThreadsPerBlock;
}

void MergeScan::evaluate(const std::vector<std::int64_t> &tile) {
  const MullapudiRegionCost cost = m_cost.of(m_cost.tileBox(tile));
  if (!fits(cost, tile)) return;
  const double merged =
      m_cost.tiles(tile) * (cost.arithmetic + m_parameters.loadCost * cost.loads); // lines 34 to 36
  const double benefit = m_unmerged - merged;                                      // line 37
  if (benefit <= 0) return;
  const auto after = std::ranges::upper_bound(m_best, benefit, std::greater(), &Tiling::benefit);
  if (static_cast<std::size_t>(after - m_best.begin()) >= kKept) return;
  // Later merges count the arithmetic of the whole output, as line 17 does, and all tiles' loads.
  const MullapudiRegionCost whole = m_cost.wholeInTiles(tile);
  m_best.insert(after, {{m_merged, tile, {}, whole.arithmetic, whole.loads}, benefit});
  if (m_best.size() > kKept) m_best.pop_back();
}

std::size_t MergeScan::step(std::size_t most) {
  std::size_t evaluated = 0;
  for (; evaluated < std::min(most, m_tilesAStep) && m_next < m_tiles.size(); ++evaluated)
    evaluate(m_tiles[m_next++]);
  return evaluated;
}

} // namespace tessera::search
