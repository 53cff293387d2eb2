// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"

#include <span>
#include <vector>

namespace tessera::cost {

// What one source is asked for through the first-level cache.
struct CachedRead {
  const Reads::Source *source = nullptr;
  double elementBytes = 4;
  double requested = 0; // bytes of one body, of all warps, in sectors
};

// What all threads of a block read of each source: in a body, and in more and more turns.
//
//   a row of 32 threads, f(x, y+r) for r in 0..2, y in 8 turns outside of r
//     body 32 × 1, with the turns of r 32 × 3, with those of y 32 × 10
class BlockReads {
public:
  BlockReads() = default;
  // `whole`: what the loops of the stage run over in all blocks; unset: in this one.
  explicit BlockReads(const Run &run, std::span<const pipeline::Interval> whole = {}) {
    look(run, whole);
  }
  void look(const Run &run, std::span<const pipeline::Interval> whole = {}); // at another one

  // What the loops of the stage run over in a block.
  std::span<const pipeline::Interval> overBlock() const { return m_over; }

  // How many turns in a row leave what is read of a source as it is.
  double steadyTurns(const Reads::Source &source) const;
  // Bytes from beyond the first-level cache, when each of the blocks that share it keeps `room`
  // bytes: those of the longest stretch of turns whose reads stay in the cache while it lasts. What
  // many blocks read alike, as tables and weights, those side by side keep together, and those that
  // follow find it there, if the cache of all has room for what one block reads of it.
  struct Sharers {
    double sideBySide = 1, all = 1; // blocks of a multiprocessor
    double multiprocessors = 1;
  };
  double fetched(std::span<const CachedRead> reads, double room) {
    return fetched(reads, room, Sharers());
  }
  double fetched(std::span<const CachedRead> reads, double room, const Sharers &sharers);

private:
  struct Level {
    std::size_t firstBox = 0; // its boxes, in those of all levels
    double turns = 1;         // of the innermost loop that it holds more than the level before
    double repeats = 1;       // of this level in what is outside of it, the stage's own loops alone
    const FlatLoop *loop = nullptr; // that one
  };
  void addLevel(double turns, double repeats, const FlatLoop *loop);
  bool isSteady(const Reads::Source &source, const Level &before, const Level &level) const;
  std::span<const pipeline::Interval> boxOf(const Reads::Source &source, const Level &level) const {
    return source.boxIn(std::span(m_boxes).subspan(level.firstBox));
  }
  struct Kept {
    double bytes = 0;                // from beyond the cache, in all
    double inCache = 0, fetched = 0; // while a level lasts
  };
  void findKept(std::span<const CachedRead> reads, const Level &level, const Sharers &sharers,
                double room);
  void keepWhatIsUsedMost(double room, double times);
  double blocksAlike(const Reads::Source &source, std::span<const pipeline::Interval> box) const;

  const Run *m_run = nullptr;
  std::vector<Level> m_levels; // the body's first
  std::vector<pipeline::Interval> m_boxes;
  std::vector<double> m_tiles;             // of the whole, along each loop of the stage
  std::vector<pipeline::Interval> m_over;  // of the block
  std::vector<pipeline::Interval> m_there; // while it looks
  std::vector<Kept> m_kept;                // of each read, while it asks
  std::vector<std::size_t> m_order;
};

} // namespace tessera::cost
