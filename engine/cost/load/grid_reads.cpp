// SPDX-License-Identifier: MIT
#include "engine/cost/load/grid_reads.h"

#include <algorithm>
#include <numeric>

namespace tessera::cost {

using schedule::LoopKind;

void GridReads::look(const Run &run, std::span<const pipeline::Interval> block,
                     std::span<const CachedRead> reads, double sideBySide, double room) {
  m_times.clear();
  double whole = 0;
  for (const CachedRead &read : reads)
    whole += volumeOf(run.reads->wholeOf(*read.source)) * read.elementBytes;
  if (whole <= room) return;
  m_over.assign(block.begin(), block.end());
  run.reads->evaluate(m_over, m_boxes);
  m_times.assign(reads.size(), 1);
  m_bytes.resize(reads.size());
  std::ranges::transform(reads, m_bytes.begin(), [&](const auto &read) { return bytesOf(read); });
  for (const FlatLoop &loop : run.loops) {
    if (loop.kind != LoopKind::Block) continue;
    const bool isDropped = std::reduce(m_bytes.begin(), m_bytes.end()) > room;
    m_over[loop.dim].max += loop.reach();
    run.reads->evaluate(m_over, m_boxes);
    const auto turns = static_cast<double>(loop.iterations);
    const double atOnce = std::max(1.0, sideBySide);
    for (std::size_t r = 0; r < reads.size(); ++r) {
      const double bytes = bytesOf(reads[r]);
      const double overlap = m_bytes[r] * turns / bytes / atOnce;
      if (isDropped) m_times[r] *= std::max(1.0, overlap);
      m_bytes[r] = bytes;
    }
    sideBySide /= turns;
  }
}

} // namespace tessera::cost
