// SPDX-License-Identifier: MIT
#include "engine/schedule/edits/tiling.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tessera::schedule {

using pipeline::LoopDim;
using pipeline::Stage;

namespace {

// The largest number of threads along each of the three innermost dimensions; a block has at most
// 256 threads in all. Elements that are neighbours in memory go to neighbouring threads.
constexpr std::array<std::int64_t, 3> kThreads{32, 8, 4};
constexpr std::int64_t kBlockThreads = 256;
constexpr std::int64_t kMostGridYZ = 65535;
constexpr std::size_t kMostDims = 3;

// The purpose of a loop of a split dimension. A nest has its loops in this order, from the inside
// out.
enum class Role : std::uint8_t {
  Vector,
  Unroll,
  ReductionUnroll,
  ReductionInner,
  Reduction,
  Inner,
  Thread,
  Outer,
  Block,
};

struct Part {
  Role role = Role::Vector;
  std::int64_t size = 1; // iterations; 1: no such loop; 0: all that are left
};

// The loops that a dimension is split into, from the outside in.
std::array<Part, 6> partsOf(const LoopDim &dim, const DimTiling &tiling) {
  if (dim.kind == LoopDim::Kind::Reduction)
    return {{{Role::Reduction, 0},
             {Role::ReductionInner, tiling.inner},
             {Role::ReductionUnroll, tiling.unroll}}};
  return {{{Role::Block, 0},
           {Role::Outer, tiling.outer},
           {Role::Thread, tiling.threads},
           {Role::Inner, tiling.inner},
           {Role::Unroll, tiling.unroll},
           {Role::Vector, tiling.vector}}};
}

LoopKind kindOf(Role role) {
  if (role == Role::Vector) return LoopKind::Vectorized;
  if (role == Role::Unroll || role == Role::ReductionUnroll) return LoopKind::Unrolled;
  return role == Role::Thread ? LoopKind::Thread : LoopKind::Serial;
}

// Reserves its memory in advance, since a search makes millions of nests.
class NestOfTiles {
public:
  NestOfTiles(const Stage &stage, std::span<const DimTiling> tilings, Depth depth)
      : m_stage(stage), m_depth(depth) {
    m_nest.axes.reserve(stage.loops.size() + 1); // + 1 for one fused axis
    m_nest.axes.resize(stage.loops.size());
    m_inside.reserve(2 * stage.loops.size());
    m_blocks.reserve(stage.loops.size());
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
    m_nest.loops.reserve(m_inside.size() + m_blocks.size());
    for (const Inside &loop : m_inside)
      m_nest.loops.push_back({loop.ref, kindOf(loop.role)});
    for (const LoopRef ref : m_blocks)
      m_nest.loops.push_back({ref, m_depth == Depth::Host ? LoopKind::Block : LoopKind::Serial});
    return std::move(m_nest);
  }

private:
  struct Inside {
    Role role = Role::Vector;
    LoopRef ref;
  };

  void cut(std::uint16_t dim, const DimTiling &tiling) {
    const std::array<Part, 6> parts = partsOf(m_stage.loops[dim], tiling);
    std::int64_t inside = 1;
    for (const Part &part : parts)
      inside *= std::max<std::int64_t>(1, part.size);
    const auto splits = static_cast<std::size_t>(
        std::ranges::count_if(parts, [](const Part &part) { return part.size > 1; }));
    m_nest.axes[dim].splits.reserve(splits);
    LoopRef ref{dim, 0};
    for (const Part &part : parts) {
      if (part.size == 1) continue;
      inside /= std::max<std::int64_t>(1, part.size);
      if (inside > 1) m_nest.axes[dim].splits.push_back({inside, tiling.tail});
      if (part.role == Role::Block)
        m_blocks.push_back(ref);
      else
        m_inside.insert(std::ranges::upper_bound(m_inside, part.role, {}, &Inside::role),
                        {part.role, ref});
      ++ref.part;
    }
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

  // A grid has three dimensions, and only the first may be long. So further block loops are fused
  // into the third, and all of them into one if the second or third is too long.
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
    axis.fused.reserve(m_stage.loops.size());
    for (std::size_t b = first; b < m_blocks.size(); ++b) {
      const LoopRef ref = m_blocks[b];
      const std::vector<LoopRef> &sources = m_nest.axes[ref.axis].fused;
      if (sources.empty())
        axis.fused.push_back(ref);
      else // `ref` is the fused axis of an earlier call; its sources replace it
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
  std::vector<Inside> m_inside; // loops inside of the blocks, in order
  std::vector<LoopRef> m_blocks;
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
