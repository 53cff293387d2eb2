// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/kernels/block_nest.h"
#include "engine/search/kernels/group.h"
#include "engine/search/kernels/tile_dims.h"
#include "engine/schedule/edits/tiling.h"
#include "engine/schedule/plan.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera::search {

// Applies a tile to the loops of single stages: those of the output, and those computed in its
// blocks or threads.
class StageTiler {
public:
  StageTiler(const pipeline::Pipeline &pipeline, const Tile &tile)
      : m_pipeline(pipeline), m_tile(tile) {}

  // For the output: the dimensions that are tiled, and the tile's sizes, limited to the extents.
  struct Sizes {
    bool atomic = false;
    std::array<std::size_t, 3> dims{kNone, kNone, kNone};
    std::array<std::int64_t, 3> threads{1, 1, 1}, points{1, 1, 1};
    std::int64_t vector = 1; // vector length; divides the points along the first dimension
  };
  Sizes sizesOf(const pipeline::Stage &stage, bool mayBeAtomic) const;

  // The plan of an output's stage, with a block for each tile.
  schedule::StagePlan root(const pipeline::Stage &stage, bool mayBeAtomic) const;

  // The plan of a stage in a block, with the tile's threads. If there are more points than threads,
  // each thread computes several points one after the other.
  schedule::StagePlan inBlock(const pipeline::Stage &stage) const;
  // Whether a stage in a block is a sum into few points whose reduction is spread over the threads.
  bool isSpread(const pipeline::Stage &stage, std::span<const std::int64_t> extents) const;
  schedule::StagePlan sharedOut(const pipeline::Stage &stage, std::span<const std::int64_t> extents,
                                bool mayBeAtomic) const;
  // The plan of a stage in a block whose first dimension occupies less than half of the threads in
  // x. Several dimensions are fused until there is enough work. Empty if the first dimension is
  // long enough, or if (with Turns::Joined) the block computes no dimension completely.
  std::optional<schedule::StagePlan> joined(const pipeline::Stage &stage,
                                            std::span<const std::int64_t> extents) const;
  // The plan of a sum whose points stay in the output's threads; `like` has the sizes of the tiles.
  // All threads run the loop `step` together. Each of its iterations covers the steps that are
  // fetched at once. Empty if a thread would have too many points.
  std::optional<schedule::StagePlan> inOwnThreads(const pipeline::Stage &stage,
                                                  std::span<const std::int64_t> extents,
                                                  const Sizes &like, std::size_t step) const;
  // The plan of a stage that a block fetches for some steps of a sum. Adjacent threads fetch
  // adjacent elements. If every group of steps has the same size, the loops in each thread are
  // unrolled, so that their loads do not wait for each other.
  schedule::StagePlan fetched(const pipeline::Stage &stage, std::span<const std::int64_t> extents,
                              const pipeline::LoopDim &steps,
                              const std::array<std::int64_t, 3> &threads) const;

  // The plan of a stage in a thread: points are unrolled, inside of the reduction. The dimensions
  // of sequentialDims() are not unrolled, since they stay in memory and their extent may vary.
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
  // How many steps of each loop reductionTilings() unrolls, in the form that blockNest() takes.
  std::vector<std::int64_t> unrolledReductions(const pipeline::Stage &stage) const;
  schedule::Tail tailOf(const pipeline::Stage &stage, std::int64_t extent,
                        std::int64_t perBlock) const;

  const pipeline::Pipeline &m_pipeline;
  const Tile &m_tile;
};

// Unrolls the loops in which each thread computes several points one after the other. If they have
// too many iterations, only a part of the innermost loop is unrolled. Empty if nothing can be
// unrolled, because there is only one iteration or because no suitable part divides the loop
// evenly.
std::optional<schedule::LoopNest> withUnrolledTurns(schedule::LoopNest nest,
                                                    const pipeline::Stage &stage,
                                                    std::span<const std::int64_t> extents);

} // namespace tessera::search
