// SPDX-License-Identifier: MIT
#include "engine/search/block_nest.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace tessera::search {

using pipeline::LoopDim;
using pipeline::Stage;
using schedule::Loop;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::LoopRef;
using schedule::Tail;

namespace {

std::int64_t noMore(std::int64_t threads, std::int64_t extent) {
  const auto least = static_cast<std::uint64_t>(std::max<std::int64_t>(1, extent));
  return std::min(threads, static_cast<std::int64_t>(std::bit_ceil(least)));
}

class BlockNest {
public:
  BlockNest(const Stage &stage, std::span<const std::int64_t> extents, const BlockShare &share)
      : m_stage(stage), m_extents(extents), m_share(share) {
    m_nest.axes.resize(stage.loops.size());
  }

  void add(std::uint16_t loop, std::int64_t unrolled) {
    if (loop == m_share.block) {
      m_blocks.push_back({{loop, 0}, LoopKind::Block});
    } else if (loop == m_share.loops[0] || loop == m_share.loops[1]) {
      share(loop);
    } else {
      if (unrolled > 1) m_unrolled.push_back({cut(loop, {unrolled}), LoopKind::Unrolled});
      addSteps(loop);
    }
  }

  LoopNest take() {
    if (m_rows) m_threads.push_back(*m_rows);
    for (const std::vector<Loop> *loops :
         {&m_unrolled, &m_reductions, &m_turns, &m_threads, &m_blocks})
      m_nest.loops.insert(m_nest.loops.end(), loops->begin(), loops->end());
    return std::move(m_nest);
  }

private:
  // A loop in parts of these sizes, from the outside in, after what is left: the last part.
  LoopRef cut(std::uint16_t loop, const std::vector<std::int64_t> &sizes) {
    std::vector<schedule::Split> &splits = m_nest.axes[loop].splits;
    std::int64_t inside = 1;
    for (std::size_t s = sizes.size(); s-- > 0;)
      splits.insert(splits.begin(), {inside *= sizes[s], Tail::GuardWithIf});
    return {loop, static_cast<std::uint16_t>(sizes.size())};
  }

  // Neighbours along the loop are neighbouring threads in each turn.
  void share(std::uint16_t loop) {
    const std::size_t which = loop == m_share.loops[0] ? 0 : 1;
    const std::int64_t extent = m_extents[loop];
    std::vector<std::int64_t> sizes;
    const std::int64_t across = noMore(m_share.threads[which], extent);
    const bool isAlone = m_share.loops[1] == kNone;
    const std::int64_t rows =
        isAlone ? noMore(m_share.threads[1], (extent + across - 1) / across) : 1;
    const std::int64_t turns = (extent + across * rows - 1) / (across * rows);
    const std::int64_t ahead = which == 0 ? std::min(m_share.ahead, turns) : 1;
    if (ahead > 1) sizes.push_back(ahead);
    if (rows > 1) sizes.push_back(rows);
    sizes.push_back(across);
    const LoopRef last = cut(loop, sizes);
    if (ahead > 1) m_unrolled.push_back({{loop, 1}, LoopKind::Unrolled});
    if (rows > 1)
      m_rows = Loop{{loop, static_cast<std::uint16_t>(last.part - 1)}, LoopKind::Thread};
    m_threads.insert(which == 0 ? m_threads.begin() : m_threads.end(), {last, LoopKind::Thread});
    addSteps(loop);
  }

  void addSteps(std::uint16_t loop) {
    const bool isPure = m_stage.loops[loop].kind == LoopDim::Kind::Pure;
    (isPure ? m_turns : m_reductions).push_back({{loop, 0}, LoopKind::Serial});
  }

  const Stage &m_stage;
  const std::span<const std::int64_t> m_extents;
  const BlockShare &m_share;
  LoopNest m_nest;
  std::vector<Loop> m_unrolled, m_reductions, m_turns, m_threads, m_blocks;
  std::optional<Loop> m_rows; // of threads, along a loop that has them all
};

} // namespace

LoopNest blockNest(const Stage &stage, std::span<const std::int64_t> extents,
                   std::span<const std::int64_t> unrolled, const BlockShare &share) {
  BlockNest nest(stage, extents, share);
  for (std::uint16_t l = 0; l < stage.loops.size(); ++l)
    nest.add(l, unrolled[l]);
  return nest.take();
}

} // namespace tessera::search
