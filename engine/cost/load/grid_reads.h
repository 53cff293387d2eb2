// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/block_reads.h"

#include <span>
#include <vector>

namespace tessera::cost {

// What the blocks of a stage read of each source in one launch. They start along x first, then
// along y and z: what they come back to after so much else that the second-level cache has dropped
// it comes from device memory once more.
//
//   f(x, y, k) reads in(x, y), blocks along x, y, k     the whole of in, for each k
class GridReads {
public:
  // `block`: what the loops run over in one; `sideBySide`: blocks that run at once; `room`: bytes
  // of the cache.
  void look(const Run &run, std::span<const pipeline::Interval> block,
            std::span<const CachedRead> reads, double sideBySide, double room);
  // How often a read is fetched, by its place among them.
  double times(std::size_t read) const { return m_times.empty() ? 1 : m_times[read]; }

private:
  double bytesOf(const CachedRead &read) const {
    return volumeOf(read.source->boxIn(m_boxes)) * read.elementBytes;
  }

  std::vector<double> m_times, m_bytes; // of each read; in one turn of a loop over blocks
  std::vector<pipeline::Interval> m_over, m_boxes;
};

} // namespace tessera::cost
