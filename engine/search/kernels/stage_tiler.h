// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/plan.h"
#include "engine/schedule/edits/tiling.h"
#include "engine/search/kernels/block_nest.h"
#include "engine/search/kernels/group.h"
#include "engine/search/kernels/tile_dims.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera::search {

// What a tile makes of the loops of single stages: of the output, and of what is computed in its
// blocks or its threads.
class StageTiler {
public:
  StageTiler(const pipeline::Pipeline &pipeline, const Tile &tile)
      : m_pipeline(pipeline), m_tile(tile) {}

  // Of the output: dimensions that are cut, and what of the sizes there is room for.
  struct Sizes {
    bool atomic = false;
    std::array<std::size_t, 3> dims{kNone, kNone, kNone};
    std::array<std::int64_t, 3> threads{1, 1, 1}, points{1, 1, 1};
    std::int64_t vector = 1; // of the points along the first
  };
  Sizes sizesOf(const pipeline::Stage &stage, bool mayBeAtomic) const;

  // Of the output: blocks of tiles.
  schedule::StagePlan root(const pipeline::Stage &stage, bool mayBeAtomic) const;

  // In a block: the same threads, in steps.
  schedule::StagePlan inBlock(const pipeline::Stage &stage) const;
  // In a block, by what it has of a stage: sums into few points over their reduction, if they may.
  bool isSpread(const pipeline::Stage &stage, std::span<const std::int64_t> extents) const;
  schedule::StagePlan sharedOut(const pipeline::Stage &stage, std::span<const std::int64_t> extents,
                                bool mayBeAtomic) const;
  // In a block that has less along the first dimension than half of the threads beside each other:
  // several as one loop, until there is work for them. Nothing where it has more, or nothing whole
  // that comes first.
  std::optional<schedule::StagePlan> joined(const pipeline::Stage &stage,
                                            std::span<const std::int64_t> extents) const;
  // Of a sum whose points each thread of the output keeps to itself: `like` says what of the
  // dimensions it has. All threads go along `step` together, so many at a time as is fetched for
  // them. Nothing where a thread would have too many points.
  std::optional<schedule::StagePlan> inOwnThreads(const pipeline::Stage &stage,
                                                  std::span<const std::int64_t> extents,
                                                  const Sizes &like, std::size_t step) const;
  // Of what a block fetches for some steps of a sum: neighbours in memory by neighbours among these
  // threads; nobody waits for one load before the next, where it is as much for all steps.
  schedule::StagePlan fetched(const pipeline::Stage &stage, std::span<const std::int64_t> extents,
                              const pipeline::LoopDim &steps,
                              const std::array<std::int64_t, 3> &threads) const;

  // In a thread: points unrolled, the reduction around them. What data index stays in memory, and
  // how much it is may depend on the size.
  schedule::StagePlan inThread(const pipeline::Stage &stage,
                               std::span<const std::int64_t> extents) const;

private:
  bool isStrips(const pipeline::Stage &stage) const;
  std::array<std::int64_t, 3> allThreads() const {
    return {m_tile.threads[0], m_tile.threads[1], m_tile.deepThreads};
  }
  BlockShare shareOf(const std::array<std::size_t, 2> &loops) const;
  std::array<std::size_t, 3> withThird(const pipeline::Stage &stage,
                                       std::array<std::size_t, 2> dims) const;
  std::array<std::size_t, 2> insideStrip(const pipeline::Stage &stage) const;
  schedule::LoopNest strip(const pipeline::Stage &stage) const;
  std::array<std::size_t, 2> longFirst(const pipeline::Stage &stage) const;
  std::size_t steppedReduction(const pipeline::Stage &stage) const;
  std::vector<schedule::DimTiling> reductionTilings(const pipeline::Stage &stage) const;
  // How many steps of each loop these unroll, for a block's share.
  std::vector<std::int64_t> unrolledReductions(const pipeline::Stage &stage) const;
  schedule::Tail tailOf(const pipeline::Stage &stage, std::int64_t extent,
                        std::int64_t perBlock) const;

  const pipeline::Pipeline &m_pipeline;
  const Tile &m_tile;
};

// The loops around the threads of a block, in each thread instead and unrolled; where those are too
// many, some turns of the innermost. Nothing where that is not a whole number of times.
std::optional<schedule::LoopNest> withUnrolledTurns(schedule::LoopNest nest,
                                                    const pipeline::Stage &stage,
                                                    std::span<const std::int64_t> extents);

} // namespace tessera::search
