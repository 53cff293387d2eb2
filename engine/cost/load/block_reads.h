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
  double requested = 0; // bytes that all warps request for one body, in sectors
};

// What all threads of a block read of each source: in one body, and with the turns of more and more
// of the loops around it.
//
//   a row of 32 threads, f(x, y+r) for r in 0..2, y in 8 turns outside of r
//     body 32 × 1, with the turns of r 32 × 3, with those of y 32 × 10
class BlockReads {
public:
  BlockReads() = default;
  // `whole` has the loop intervals in all blocks. If it is empty, no blocks share reads.
  explicit BlockReads(const Run &run, std::span<const pipeline::Interval> whole = {}) {
    look(run, whole);
  }
  void look(const Run &run, std::span<const pipeline::Interval> whole = {}); // looks at another run

  // The intervals of the stage's loops in a block.
  std::span<const pipeline::Interval> overBlock() const { return m_over; }

  // The number of successive turns that read the same elements of a source.
  double steadyTurns(const Reads::Source &source) const;
  // Bytes fetched from beyond the first-level cache when each resident block has `room` bytes of
  // it. The reads of the longest stretch of turns that fits into the cache are fetched once in each
  // such stretch. Tables and weights that many blocks read alike are kept once for the blocks side
  // by side, and later blocks find them in the cache, if the cache of all resident blocks has room
  // for what one block reads of them.
  struct Sharers {
    double sideBySide = 1, all = 1; // blocks of a multiprocessor, at a time and in total
    double multiprocessors = 1;
  };
  double fetched(std::span<const CachedRead> reads, double room) {
    return fetched(reads, room, Sharers());
  }
  double fetched(std::span<const CachedRead> reads, double room, const Sharers &sharers);

private:
  struct Level {
    std::size_t firstBox = 0;       // index of its first box in m_boxes
    double turns = 1;               // of the innermost loop that this level adds
    double repeats = 1;             // how often the stage's own outer loops run this level
    const FlatLoop *loop = nullptr; // the loop of `turns`
  };
  void addLevel(double turns, double repeats, const FlatLoop *loop);
  bool isSteady(const Reads::Source &source, const Level &before, const Level &level) const;
  std::span<const pipeline::Interval> boxOf(const Reads::Source &source, const Level &level) const {
    return source.boxIn(std::span(m_boxes).subspan(level.firstBox));
  }
  struct Kept {
    double bytes = 0;                // fetched from beyond the cache, in all
    double inCache = 0, fetched = 0; // during one run of a level
  };
  void findKept(std::span<const CachedRead> reads, const Level &level, const Sharers &sharers,
                double room);
  void keepWhatIsUsedMost(double room, double times);
  double blocksAlike(const Reads::Source &source, std::span<const pipeline::Interval> box) const;

  const Run *m_run = nullptr;
  std::vector<Level> m_levels; // the level of the body first
  std::vector<pipeline::Interval> m_boxes;
  std::vector<double> m_tiles;             // blocks along each loop of the stage, in all
  std::vector<pipeline::Interval> m_over;  // loop intervals of the block
  std::vector<pipeline::Interval> m_there; // scratch of addLevel()
  std::vector<Kept> m_kept;                // of each read; scratch of fetched()
  std::vector<std::size_t> m_order;
};

} // namespace tessera::cost
