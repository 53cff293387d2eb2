// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/stage.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/loop_nest.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::schedule {

// How one dimension is split, from the outside in: blocks (or, inside a kernel, a serial loop),
// serial iterations in a block, threads, serial iterations in a thread, unrolled copies, vector
// elements. 1 means that there is no such loop. For a reduction, only `inner` and `unroll` count.
struct DimTiling {
  std::int64_t outer = 1;
  std::int64_t threads = 1;
  std::int64_t inner = 1;
  std::int64_t unroll = 1;
  std::int64_t vector = 1;
  Tail tail = Tail::GuardWithIf;

  std::int64_t perBlock() const { return outer * threads * inner * unroll * vector; }
  friend bool operator==(const DimTiling &, const DimTiling &) = default;
};

// The usual nest of a GPU stage, from the outside in: blocks, serial loops in a block, threads,
// serial loops in a thread, the reduction, unrolled copies, vectors. In each group, the first
// dimension is innermost. `depth` says where the stage is computed. If there are more
// than three block loops, some are fused.
LoopNest tiledNest(const pipeline::Stage &stage, std::span<const DimTiling> tilings, Depth depth);

// A first tiling for a stage at `depth`: a kernel with at most 256 threads in a block, a stage that
// the threads of a block compute together, or plain loops in a thread.
std::vector<DimTiling> startTilings(const pipeline::Stage &stage, Depth depth,
                                    std::span<const std::int64_t> extents);

} // namespace tessera::schedule
