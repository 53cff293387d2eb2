// SPDX-License-Identifier: MIT
#include "engine/schedule/tiling.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tessera::schedule {

using pipeline::LoopDim;
using pipeline::Stage;

namespace {

// Threads of the innermost dimensions: neighbours in memory side by side, 256 in all.
constexpr std::array<std::int64_t, 3> kThreads{32, 8, 4};
constexpr std::int64_t kBlockThreads = 256;
constexpr std::int64_t kMostGridYZ = 65535;
constexpr std::size_t kMostDims = 3;

class NestOfTiles {
public:
  NestOfTiles(const Stage &stage, std::span<const DimTiling> tilings, Depth depth)
      : m_stage(stage), m_depth(depth), m_nest(plainNest(stage)) {
    for (std::uint16_t d = 0; d < stage.loops.size(); ++d)
      cut(d, tilings[d]);
  }

  LoopNest take() {
    if (m_depth == Depth::Host && m_blocks.empty()) {
      m_nest = plainNest(m_stage);
      m_nest.singleThread = true;
      return std::move(m_nest);
    }
    fuseBlocks();
    m_nest.loops.clear();
    add(m_vector, LoopKind::Vectorized);
    add(m_unroll, LoopKind::Unrolled);
    add(m_reductionUnroll, LoopKind::Unrolled);
    add(m_reductionInner, LoopKind::Serial);
    add(m_reduction, LoopKind::Serial);
    add(m_inner, LoopKind::Serial);
    add(m_threads, LoopKind::Thread);
    add(m_outer, LoopKind::Serial);
    add(m_blocks, m_depth == Depth::Host ? LoopKind::Block : LoopKind::Serial);
    return std::move(m_nest);
  }

private:
  struct Part {
    std::int64_t size;
    std::vector<LoopRef> *loops;
  };

  void cut(std::uint16_t dim, const DimTiling &tiling) {
    const bool reduction = m_stage.loops[dim].kind == LoopDim::Kind::Reduction;
    std::vector<Part> parts;
    if (reduction)
      parts = {{0, &m_reduction},
               {tiling.inner, &m_reductionInner},
               {tiling.unroll, &m_reductionUnroll}};
    else
      parts = {{0, &m_blocks},           {tiling.outer, &m_outer},   {tiling.threads, &m_threads},
               {tiling.inner, &m_inner}, {tiling.unroll, &m_unroll}, {tiling.vector, &m_vector}};
    std::erase_if(parts, [](const Part &part) { return part.size == 1; });
    Axis &axis = m_nest.axes[dim];
    for (std::uint16_t p = 0; p < parts.size(); ++p) {
      std::int64_t inside = 1;
      for (std::size_t i = p + 1U; i < parts.size(); ++i)
        inside *= parts[i].size;
      if (p + 1U < parts.size()) axis.splits.push_back({inside, tiling.tail});
      parts[p].loops->push_back({dim, p});
    }
  }

  void add(const std::vector<LoopRef> &loops, LoopKind kind) {
    for (const LoopRef ref : loops)
      m_nest.loops.push_back({ref, kind});
  }

  std::int64_t blockExtent(LoopRef ref) const {
    const Axis &axis = m_nest.axes[ref.axis];
    if (axis.fused.empty())
      return partExtent(axis, m_stage.loops[ref.axis].range.extent(), ref.part);
    std::int64_t extent = 1;
    for (const LoopRef source : axis.fused)
      extent = pipeline::saturatingMultiply(extent, blockExtent(source));
    return extent;
  }

  // A grid has three dimensions, and only the first of them is long.
  void fuseBlocks() {
    if (m_depth != Depth::Host) return;
    if (m_blocks.size() > kMostDims) fuseFrom(kMostDims - 1);
    const bool tooLong = std::any_of(m_blocks.begin() + 1, m_blocks.end(), [this](LoopRef ref) {
      return blockExtent(ref) > kMostGridYZ;
    });
    if (tooLong) fuseFrom(0);
  }

  void fuseFrom(std::size_t first) {
    Axis axis;
    for (std::size_t b = first; b < m_blocks.size(); ++b) {
      const LoopRef ref = m_blocks[b];
      const std::vector<LoopRef> &sources = m_nest.axes[ref.axis].fused;
      if (sources.empty())
        axis.fused.push_back(ref);
      else // the axis that the first call made, the last of all
        axis.fused.insert(axis.fused.end(), sources.begin(), sources.end());
    }
    if (m_nest.axes.size() > m_stage.loops.size()) m_nest.axes.pop_back();
    m_blocks.resize(first);
    m_blocks.push_back({static_cast<std::uint16_t>(m_nest.axes.size()), 0});
    m_nest.axes.push_back(std::move(axis));
  }

  const Stage &m_stage;
  Depth m_depth;
  LoopNest m_nest;
  std::vector<LoopRef> m_blocks, m_outer, m_threads, m_inner, m_reduction, m_reductionInner,
      m_reductionUnroll, m_unroll, m_vector;
};

} // namespace

LoopNest tiledNest(const Stage &stage, std::span<const DimTiling> tilings, Depth depth) {
  return NestOfTiles(stage, tilings, depth).take();
}

std::vector<DimTiling> startTilings(const Stage &stage, Depth depth,
                                    std::span<const std::int64_t> extents) {
  std::vector<DimTiling> tilings(stage.loops.size());
  if (depth == Depth::Thread) return tilings;
  std::size_t used = 0;
  std::int64_t inBlock = 1;
  for (std::size_t d = 0; d < tilings.size() && used < kThreads.size(); ++d) {
    if (stage.loops[d].kind == LoopDim::Kind::Reduction) continue;
    const auto wanted = static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(1, extents[d]))));
    const std::int64_t threads = std::min({kThreads[used], kBlockThreads / inBlock, wanted});
    if (threads <= 1) continue;
    tilings[d].threads = threads;
    inBlock *= threads;
    ++used;
  }
  return tilings;
}

} // namespace tessera::schedule
