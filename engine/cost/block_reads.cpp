// SPDX-License-Identifier: MIT
#include "engine/cost/block_reads.h"

#include "engine/cost/warp_access.h"

#include <algorithm>

namespace tessera::cost {

using pipeline::Interval;

namespace {

// Rows begin anywhere in their first sector.
double sectorBytes(std::span<const Interval> box, double elementBytes) {
  if (box.empty()) return kSectorBytes;
  const double rows = volumeOf(box.subspan(1));
  return rows * (static_cast<double>(box.front().extent() - 1) * elementBytes + kSectorBytes);
}

std::vector<Interval> overThreads(const Run &run) {
  std::vector<Interval> over = run.overBody();
  bool hasOwn = false;
  for (const FlatLoop &loop : run.loops)
    if (isThread(loop.kind)) {
      over[loop.dim].max += loop.reach();
      hasOwn = true;
    }
  if (hasOwn) return over;
  for (std::size_t d = 0; d < kBlockDims; ++d)
    for (std::size_t l = 0; l < over.size(); ++l) {
      const double reach = run.threadSteps[d][l] * static_cast<double>(run.threads[d] - 1);
      (reach < 0 ? over[l].min : over[l].max) += static_cast<std::int64_t>(reach);
    }
  return over;
}

} // namespace

BlockReads::BlockReads(const Run &run) : m_run(run) {
  std::vector<Interval> over = overThreads(run);
  double turns = 1;
  for (const FlatLoop &loop : run.turns())
    turns *= static_cast<double>(loop.iterations);
  add(over, 1, turns);
  for (const FlatLoop &loop : run.turns()) {
    over[loop.dim].max += loop.reach();
    const auto iterations = static_cast<double>(loop.iterations);
    turns /= iterations;
    add(over, iterations, turns);
  }
}

void BlockReads::add(const std::vector<Interval> &over, double turns, double repeats) {
  Level &level = m_levels.emplace_back();
  m_run.reads.evaluate(over, level.boxes);
  level.turns = turns;
  level.repeats = repeats;
}

double BlockReads::steadyTurns(const Reads::Source &source) const {
  double steady = 1;
  for (std::size_t l = 1; l < m_levels.size(); ++l) {
    if (!std::ranges::equal(source.boxIn(m_levels[l - 1].boxes), source.boxIn(m_levels[l].boxes)))
      break;
    steady *= m_levels[l].turns;
  }
  return steady;
}

double BlockReads::fetched(std::span<const CachedRead> reads, double room) const {
  double requested = 0;
  for (const CachedRead &read : reads)
    requested += read.requested * m_run.bodies;
  double bytes = requested;
  for (const Level &level : m_levels) {
    double unique = 0;
    for (const CachedRead &read : reads)
      unique += std::min(sectorBytes(read.source->boxIn(level.boxes), read.elementBytes),
                         read.requested * m_run.bodies);
    if (unique > room && &level != &m_levels.front()) break;
    const double fits = std::min(1.0, room / unique);
    bytes = std::min(bytes, fits * unique * level.repeats * m_run.times + (1 - fits) * bytes);
  }
  return bytes;
}

} // namespace tessera::cost
