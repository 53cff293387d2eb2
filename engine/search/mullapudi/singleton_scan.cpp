// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/singleton_scan.h"

#include "engine/search/mullapudi/mullapudi_tiles.h"
#include "engine/search/mullapudi/stage_boxes.h"
#include "engine/pipeline/measures.h"

#include <algorithm>

// Mullapudi et al. 2016, section 4.2.1; "line n" is a line of listing 1. The listing calls the same
// variable best_benefit in line 8 and best_tile_benefit in lines 25 and 26, and total_tiles of line
// 13 num_tiles in lines 17 and 22.
namespace tessera::search {

using pipeline::FuncId;
using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using pipeline::StageId;

namespace {

constexpr std::size_t kTilesAStep = 16; // a step takes about a millisecond

double volumeOf(const pipeline::Box &box) { return static_cast<double>(pipeline::volume(box)); }

double bytesOf(const Pipeline &pipeline, Producer producer) {
  return static_cast<double>(producer.kind == Producer::Kind::Func
                                 ? pipeline::elementBytes(pipeline.func(FuncId{producer.index}))
                                 : pipeline.inputs()[producer.index].type.bytes());
}

double loadsOf(const StageWork &work, Producer producer) {
  const auto loads = std::ranges::find(work.loads, producer, &StageWork::Loads::producer);
  return loads == work.loads.end() ? 0 : loads->count;
}

double pointsOf(std::span<const Interval> loops) {
  return volumeOf(pipeline::Box(loops.begin(), loops.end()));
}

std::vector<Interval> rangesOf(const Stage &stage) {
  std::vector<Interval> ranges;
  for (const LoopDim &loop : stage.loops)
    ranges.push_back(loop.range.empty() ? Interval{loop.range.min, loop.range.min} : loop.range);
  return ranges;
}

// The loops in the order in which a tile counts its dimensions: those of the func, the innermost in
// memory first, then the reductions.
std::vector<std::size_t> dimensionsOf(const Stage &stage) {
  std::vector<std::size_t> dims;
  for (std::size_t l = 0; l < stage.loops.size(); ++l)
    if (stage.loops[l].argument) dims.push_back(l);
  std::ranges::sort(dims, {}, [&](std::size_t l) { return *stage.loops[l].argument; });
  for (std::size_t l = 0; l < stage.loops.size(); ++l)
    if (!stage.loops[l].argument) dims.push_back(l);
  return dims;
}

} // namespace

SingletonScan::SingletonScan(const Pipeline &pipeline, FuncId func, std::vector<FuncId> inlined,
                             const MullapudiParameters &parameters)
    : m_pipeline(pipeline), m_inlined(std::move(inlined)), m_parameters(parameters) {
  if (pipeline.stagesOf(func).size() < 2) return; // lines 2 and 3: a pure func is not tiled
  double most = -1;
  for (const StageId id : pipeline.stageIdsOf(func)) {
    const Stage &stage = pipeline.stage(id);
    StageWork work = workOf(pipeline, stage, m_inlined, parameters.divisionCost);
    double loads = 0;
    for (const StageWork::Loads &one : work.loads)
      loads += one.count * pointsOf(rangesOf(stage));
    if (loads <= most) continue;
    most = loads;
    m_stage = id;
    m_work = std::move(work);
  }
  const Stage &stage = pipeline.stage(m_stage);
  const std::vector<std::size_t> dims = dimensionsOf(stage);
  const std::vector<double> byLoop = reuse();
  std::vector<std::int64_t> extents;
  std::vector<double> byDim;
  for (const std::size_t l : dims) {
    extents.push_back(rangesOf(stage)[l].extent());
    byDim.push_back(byLoop[l]);
  }
  for (const std::vector<std::int64_t> &tile : mullapudiTiles(extents, byDim, parameters)) {
    std::vector<std::int64_t> sizes(dims.size(), 1);
    for (std::size_t d = 0; d < dims.size(); ++d)
      sizes[dims[d]] = tile[d];
    m_tiles.push_back(std::move(sizes));
  }
}

// Section 4.1, for each loop of the stage.
std::vector<double> SingletonScan::reuse() const {
  const Stage &stage = m_pipeline.stage(m_stage);
  const std::vector<Interval> ranges = rangesOf(stage);
  std::vector<double> reuse(ranges.size());
  for (std::size_t l = 0; l < ranges.size(); ++l) {
    std::vector<Interval> strip = ranges;
    const std::int64_t middle = ranges[l].min + ranges[l].extent() / 2;
    strip[l] = {middle, middle};
    const auto here = stageBoxes(m_pipeline, m_stage, strip, m_inlined);
    strip[l] = {middle + 1, middle + 1};
    const auto next = stageBoxes(m_pipeline, m_stage, strip, m_inlined);
    for (std::size_t p = 0; p < here.size(); ++p) {
      if (here[p].producer == Producer::func(stage.func) || here[p].box.empty()) continue;
      pipeline::Box both;
      for (std::size_t d = 0; d < here[p].box.size(); ++d)
        both.push_back(pipeline::intersection(here[p].box[d], next[p].box[d]));
      reuse[l] += volumeOf(both);
    }
  }
  return reuse;
}

SingletonScan::Cost SingletonScan::cost(const std::vector<std::int64_t> &sizes) const {
  const Stage &stage = m_pipeline.stage(m_stage);
  const std::vector<Interval> ranges = rangesOf(stage);
  Cost cost;
  std::vector<Interval> tile; // from the middle, as MullapudiCost::tileBox()
  for (std::size_t l = 0; l < ranges.size(); ++l) {
    const std::int64_t extent = ranges[l].extent(),
                       size = std::clamp<std::int64_t>(sizes[l], 1, extent);
    const std::int64_t tiles = (extent + size - 1) / size;
    cost.tiles *= static_cast<double>(tiles);
    tile.push_back({ranges[l].min + tiles / 2 * size, ranges[l].min + tiles / 2 * size + size - 1});
  }
  for (const ProducerBox &one : stageBoxes(m_pipeline, m_stage, tile, m_inlined)) {
    if (one.producer.kind == Producer::Kind::Input &&
        m_pipeline.inputs()[one.producer.index].isScalar)
      continue;
    cost.footprintBytes += volumeOf(one.box) * bytesOf(m_pipeline, one.producer);
    if (one.producer == Producer::func(stage.func)) continue; // its own values are no input
    const double loads = loadsOf(m_work, one.producer);
    cost.untiledLoads += loads * pointsOf(ranges);
    cost.tileLoads += cost.tiles * std::min(volumeOf(one.box), loads * pointsOf(tile));
  }
  return cost;
}

// TARGET_THREADS_PER_BLOCK and MAX_THREADS_PER_BLOCK (section 5.4). Reductions have no threads.
bool SingletonScan::hasFittingBlock(const std::vector<std::int64_t> &sizes) const {
  const Stage &stage = m_pipeline.stage(m_stage);
  std::vector<std::int64_t> tile(m_pipeline.func(stage.func).args.size(), 1);
  for (std::size_t l = 0; l < sizes.size(); ++l)
    if (stage.loops[l].argument) tile[*stage.loops[l].argument] = sizes[l];
  const std::vector<bool> dims = tileThreads(tile);
  double threads = 1;
  for (std::size_t d = 0; d < tile.size(); ++d)
    if (dims[d]) threads *= static_cast<double>(tile[d]);
  return threads >= m_parameters.targetThreadsPerBlock &&
         threads <= m_parameters.maxThreadsPerBlock;
}

std::size_t SingletonScan::step(std::size_t most) {
  std::size_t evaluated = 0;
  for (; evaluated < std::min(most, kTilesAStep) && m_next < m_tiles.size(); ++evaluated) {
    const std::vector<std::int64_t> &sizes = m_tiles[m_next++];
    const Cost found = cost(sizes);
    // Lines 16 to 19.
    if (found.tiles < m_parameters.parallelismThreshold ||
        found.footprintBytes > m_parameters.cacheSize || !hasFittingBlock(sizes))
      continue;
    const double benefit = found.untiledLoads - found.tileLoads; // lines 21 to 23
    if (benefit > (m_best ? m_best->benefit : 0))                // lines 25 to 27
      m_best = SingletonTile{m_stage, sizes, benefit, found.footprintBytes};
  }
  return evaluated;
}

} // namespace tessera::search
