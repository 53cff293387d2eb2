// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"

#include <span>
#include <vector>

namespace tessera::cost {

// What a block reads of one source through the first-level cache.
struct CachedRead {
  const Reads::Source *source = nullptr;
  double elementBytes = 4;
  double requested = 0; // bytes of the sectors that all warps of a block request per body
};

// What all threads of a block read of each source. The first level is one body (straight-line
// code). Each further level adds the iterations of the next loop around it.
//
//   32 threads along x read f(x, y+r); r in 0..2 is the inner loop, y in 0..7 the outer loop
//     boxes: body 32 × 1, with the loop over r 32 × 3, with the loop over y 32 × 10
class BlockReads {
public:
  BlockReads() = default;
  // `whole` has the intervals of the stage's loops over all blocks. If it is empty, blocks do not
  // share reads.
  explicit BlockReads(const Run &run, std::span<const pipeline::Interval> whole = {}) {
    look(run, whole);
  }
  void look(const Run &run, std::span<const pipeline::Interval> whole = {}); // looks at another run

  // The intervals of the stage's loops in a block.
  std::span<const pipeline::Interval> overBlock() const { return m_over; }

  // The number of successive iterations that read the same elements of a source.
  double steadyTurns(const Reads::Source &source) const;
  // The blocks that may share what they read.
  struct Sharers {
    double sideBySide = 1, all = 1; // blocks per multiprocessor: resident, and in total
    double multiprocessors = 1;
  };

  // Bytes that miss the first-level cache when each resident block has `room` bytes of it. As many
  // successive iterations as possible are taken together, as long as all their reads fit into
  // `room`; together they fetch each element once. If the room of all resident blocks can hold what
  // one block reads of a source, these data are kept once for all resident blocks, and later blocks
  // find them in the cache, too. Tables and weights are such sources.
  double fetched(std::span<const CachedRead> reads, double room) {
    return fetched(reads, room, Sharers());
  }
  double fetched(std::span<const CachedRead> reads, double room, const Sharers &sharers);

private:
  struct Level {
    std::size_t firstBox = 0;       // index of its first box in m_boxes
    double turns = 1;               // iterations of `loop`
    double repeats = 1;             // how often the stage's loops around this level run it
    const FlatLoop *loop = nullptr; // the loop that this level adds; null for the body
  };
  void addLevel(double turns, double repeats, const FlatLoop *loop);
  bool isSteady(const Reads::Source &source, const Level &before, const Level &level) const;
  std::span<const pipeline::Interval> boxOf(const Reads::Source &source, const Level &level) const {
    return source.boxIn(std::span(m_boxes).subspan(level.firstBox));
  }
  struct Kept {
    double bytes = 0;                // total bytes fetched from beyond the cache
    double inCache = 0, fetched = 0; // bytes kept and fetched during one run of a level
  };
  void findKept(std::span<const CachedRead> reads, const Level &level, const Sharers &sharers,
                double room);
  void keepWhatIsUsedMost(double room, double times);
  double blocksAlike(const Reads::Source &source, std::span<const pipeline::Interval> box) const;

  const Run *m_run = nullptr;
  std::vector<Level> m_levels; // the level of the body first
  std::vector<pipeline::Interval> m_boxes;
  std::vector<double> m_tiles;             // total number of blocks along each loop of the stage
  std::vector<pipeline::Interval> m_over;  // loop intervals of the block
  std::vector<pipeline::Interval> m_there; // scratch of addLevel()
  std::vector<Kept> m_kept;                // one for each read; scratch of fetched()
  std::vector<std::size_t> m_order;
};

} // namespace tessera::cost
