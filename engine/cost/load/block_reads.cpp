// SPDX-License-Identifier: MIT
#include "engine/cost/load/block_reads.h"

#include "engine/cost/load/warp_access.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace tessera::cost {

using pipeline::Interval;

namespace {

// A row may begin anywhere in its first sector. On average, the sectors that it touches have the
// bytes of the row plus those of one sector, less one element.
double sectorBytes(std::span<const Interval> box, double elementBytes) {
  if (box.empty()) return kSectorBytes;
  const double rows = volumeOf(box.subspan(1));
  return rows * (static_cast<double>(box.front().extent() - 1) * elementBytes + kSectorBytes);
}

bool contains(std::span<const Interval> box, std::span<const Interval> part) {
  return std::ranges::equal(box, part,
                            [](const Interval &a, const Interval &b) { return a.contains(b); });
}

void extendOverThreads(const Run &run, std::vector<Interval> &over) {
  bool hasOwn = false;
  for (const FlatLoop &loop : run.loops)
    if (isThread(loop.kind)) {
      over[loop.dim].max += loop.reach();
      hasOwn = true;
    }
  if (hasOwn) return;
  for (std::size_t d = 0; d < kBlockDims; ++d)
    for (std::size_t l = 0; l < over.size(); ++l) {
      const double reach = run.threadSteps[d][l] * static_cast<double>(run.threads[d] - 1);
      (reach < 0 ? over[l].min : over[l].max) += static_cast<std::int64_t>(reach);
    }
}

} // namespace

void BlockReads::look(const Run &run, std::span<const Interval> whole) {
  m_run = &run;
  m_levels.clear();
  m_boxes.clear();
  run.overBody(m_over);
  extendOverThreads(run, m_over);
  double turns = 1;
  for (const FlatLoop &loop : run.turns())
    turns *= static_cast<double>(loop.iterations);
  addLevel(1, turns, nullptr);
  for (const FlatLoop &loop : run.turns()) {
    m_over[loop.dim].max += loop.reach();
    const auto iterations = static_cast<double>(loop.iterations);
    turns /= iterations;
    addLevel(iterations, turns, &loop);
  }
  m_tiles.assign(m_over.size(), 1.0);
  for (std::size_t l = 0; l < whole.size(); ++l)
    m_tiles[l] = std::max(1.0, static_cast<double>(whole[l].extent()) /
                                   static_cast<double>(m_over[l].extent()));
}

void BlockReads::addLevel(double turns, double repeats, const FlatLoop *loop) {
  m_run->reads->evaluate(m_over, m_there);
  m_levels.push_back({m_boxes.size(), turns, repeats, loop});
  m_boxes.insert(m_boxes.end(), m_there.begin(), m_there.end());
}

double BlockReads::steadyTurns(const Reads::Source &source) const {
  // At indices that depend on data, each iteration may read other elements of the same box.
  if (m_run->reads->isGathered(source)) return 1;
  double steady = 1;
  for (std::size_t l = 1; l < m_levels.size(); ++l) {
    if (!isSteady(source, m_levels[l - 1], m_levels[l])) break;
    steady *= m_levels[l].turns;
  }
  return steady;
}

// Whether all iterations of a loop read the same elements. A box that is clamped at the border of
// the source can stay the same although its threads read other positions in each iteration. Such a
// box does not count as steady.
bool BlockReads::isSteady(const Reads::Source &source, const Level &before,
                          const Level &level) const {
  const std::span<const Interval> box = boxOf(source, level);
  if (!std::ranges::equal(boxOf(source, before), box)) return false;
  const std::span<const Interval> whole = m_run->reads->wholeOf(source);
  for (std::size_t d = 0; d < box.size(); ++d)
    if (m_run->reads->isMovedBy(source.firstDim + d, level.loop->dim) &&
        (box[d].min == whole[d].min || box[d].max == whole[d].max))
      return false;
  return true;
}

// The number of blocks that read the same box. If the box is the whole source, all blocks read it;
// the result is infinity. Otherwise these are the blocks that differ only in loops that do not move
// the box.
double BlockReads::blocksAlike(const Reads::Source &source, std::span<const Interval> box) const {
  if (contains(box, m_run->reads->wholeOf(source))) return std::numeric_limits<double>::infinity();
  const std::uint32_t movedBy = m_run->reads->movedBy(source);
  double blocks = 1;
  for (std::size_t l = 0; l < m_tiles.size() && l < 32; ++l)
    if ((movedBy >> l & 1) == 0) blocks *= m_tiles[l];
  return blocks;
}

void BlockReads::findKept(std::span<const CachedRead> reads, const Level &level,
                          const Sharers &sharers, double room) {
  for (std::size_t r = 0; r < reads.size(); ++r) {
    const CachedRead &read = reads[r];
    const std::span<const Interval> box = boxOf(*read.source, level);
    const double bytes = sectorBytes(box, read.elementBytes), most = read.requested * m_run->bodies;
    // Blocks do not run in lockstep. So they share the data of a source only if the caches of all
    // resident blocks can hold what a block reads of it; otherwise the data are dropped before the
    // next block reads them.
    const bool isKept = sectorBytes(boxOf(*read.source, m_levels.back()), read.elementBytes) <=
                        room * sharers.sideBySide;
    const double alike =
        isKept ? std::max(1.0, blocksAlike(*read.source, box) / sharers.multiprocessors) : 1;
    m_kept[r].inCache = std::min(bytes / std::min(alike, sharers.sideBySide), most);
    m_kept[r].fetched = std::min(bytes / std::min(alike, sharers.all), most);
  }
}

double BlockReads::fetched(std::span<const CachedRead> reads, double room, const Sharers &sharers) {
  m_kept.clear();
  for (const CachedRead &read : reads)
    m_kept.push_back({read.requested * m_run->bodies, 0, 0});
  for (const Level &level : m_levels) {
    findKept(reads, level, sharers, room);
    double all = 0;
    for (const Kept &one : m_kept)
      all += one.inCache;
    if (all > room && &level != &m_levels.front()) break;
    keepWhatIsUsedMost(room, level.repeats * m_run->times);
  }
  double bytes = 0;
  for (const Kept &one : m_kept)
    bytes += one.bytes;
  return bytes;
}

// A cache drops what was not used for a long time, so the most used reads are kept first.
void BlockReads::keepWhatIsUsedMost(double room, double times) {
  m_order.resize(m_kept.size());
  std::iota(m_order.begin(), m_order.end(), std::size_t{0});
  const auto uses = [&](std::size_t r) {
    return m_kept[r].bytes / std::max(1.0, m_kept[r].inCache);
  };
  std::ranges::sort(m_order, [&](std::size_t a, std::size_t b) {
    return std::pair(uses(b), a) < std::pair(uses(a), b); // most uses first
  });
  for (const std::size_t r : m_order) {
    Kept &one = m_kept[r];
    const double fits = one.inCache > room ? room / one.inCache : 1;
    one.bytes = std::min(one.bytes, fits * one.fetched * times + (1 - fits) * one.bytes);
    room -= fits * one.inCache;
  }
}

} // namespace tessera::cost
