// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/block_reads.h"

#include <span>
#include <vector>

namespace tessera::cost {

// What the blocks of a stage read of each source in one launch. Blocks start along x first, then
// along y and z. Data that the second-level cache has dropped before a later block reads them are
// fetched from device memory once more.
//
//   f(x, y, k) reads in(x, y), blocks along x, y, k     reads all of `in` again for each k
class GridReads {
public:
  // `block`: the loop intervals in one block; `sideBySide`: blocks that run at once; `room`: bytes
  // of the second-level cache.
  void look(const Run &run, std::span<const pipeline::Interval> block,
            std::span<const CachedRead> reads, double sideBySide, double room);
  // How often the data of a read are fetched from device memory. `read` is an index of `reads`.
  double times(std::size_t read) const { return m_times.empty() ? 1 : m_times[read]; }

private:
  double bytesOf(const CachedRead &read) const {
    return volumeOf(read.source->boxIn(m_boxes)) * read.elementBytes;
  }

  // Both have one entry per read. m_bytes: bytes that are read in one iteration of a block loop.
  std::vector<double> m_times, m_bytes;
  std::vector<pipeline::Interval> m_over, m_boxes;
};

} // namespace tessera::cost
