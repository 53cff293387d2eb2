// SPDX-License-Identifier: MIT
#include "engine/search/kernels/block_nest.h"

#include <algorithm>
#include <bit>
#include <optional>
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
    if (!share.joined.empty()) join();
  }

  void add(std::uint16_t loop, std::int64_t unrolled) {
    if (isJoined(loop)) return;
    if (loop == m_share.block) {
      m_blocks.push_back({{loop, 0}, LoopKind::Block});
    } else if (const std::size_t which = indexOf(loop); which < m_threads.size()) {
      share(loop, which);
    } else {
      if (unrolled > 1) m_unrolled.push_back({cut(loop, {unrolled}), LoopKind::Unrolled});
      addSteps(loop);
    }
  }

  LoopNest take() {
    std::vector<Loop> threads;
    for (const std::optional<Loop> &loop : m_threads)
      if (loop) threads.push_back(*loop);
    for (const std::vector<Loop> *loops :
         {&m_unrolled, &m_reductions, &m_turns, &threads, &m_blocks})
      m_nest.loops.insert(m_nest.loops.end(), loops->begin(), loops->end());
    return std::move(m_nest);
  }

private:
  bool isJoined(std::uint16_t loop) const {
    return std::ranges::find(m_share.joined, loop) != m_share.joined.end();
  }

  // Fuses several loops into one, which the threads share.
  void join() {
    const auto axis = static_cast<std::uint16_t>(m_nest.axes.size());
    schedule::Axis &all = m_nest.axes.emplace_back();
    for (const std::size_t loop : m_share.joined)
      all.fused.push_back({static_cast<std::uint16_t>(loop), 0});
    share(axis, 0);
  }

  // Splits a loop into loops of these sizes, from the outside in. The extent of a further,
  // outermost loop follows from the others. Returns the innermost loop.
  LoopRef cut(std::uint16_t loop, const std::vector<std::int64_t> &sizes) {
    std::vector<schedule::Split> &splits = m_nest.axes[loop].splits;
    std::int64_t inside = 1;
    for (std::size_t s = sizes.size(); s-- > 0;)
      splits.insert(splits.begin(), {inside *= sizes[s], Tail::GuardWithIf});
    return {loop, static_cast<std::uint16_t>(sizes.size())};
  }

  std::size_t indexOf(std::uint16_t loop) const {
    return static_cast<std::size_t>(std::ranges::find(m_share.loops, loop) - m_share.loops.begin());
  }

  bool isLast(std::size_t which) const {
    return which + 1 == m_share.loops.size() || m_share.loops[which + 1] == kNone;
  }

  // Divides a loop among the threads. At any time, adjacent threads run adjacent iterations.
  void share(std::uint16_t loop, std::size_t which) {
    const std::int64_t extent = schedule::axisExtent(m_nest, loop, m_extents);
    std::vector<std::int64_t> sizes{noMore(m_share.threads[which], extent)}; // innermost first
    std::int64_t inTurn = sizes.front();
    for (std::size_t row = which + 1; isLast(which) && row < m_threads.size(); ++row) {
      sizes.push_back(noMore(m_share.threads[row], (extent + inTurn - 1) / inTurn));
      inTurn *= sizes.back();
    }
    const std::int64_t turns = (extent + inTurn - 1) / inTurn;
    const std::int64_t ahead = which == 0 ? std::min(m_share.ahead, turns) : 1;
    if (ahead > 1) m_unrolled.push_back({{loop, 1}, LoopKind::Unrolled});
    std::vector<std::int64_t> parts;
    if (ahead > 1) parts.push_back(ahead);
    for (std::size_t row = sizes.size(); row-- > 0;)
      if (row == 0 || sizes[row] > 1) parts.push_back(sizes[row]);
    std::uint16_t part = cut(loop, parts).part;
    for (std::size_t row = 0; row < sizes.size(); ++row)
      if (row == 0 || sizes[row] > 1)
        m_threads[which + row] = Loop{{loop, part--}, LoopKind::Thread};
    addSteps(loop);
  }

  void addSteps(std::uint16_t loop) {
    const bool isPure =
        loop >= m_stage.loops.size() || m_stage.loops[loop].kind == LoopDim::Kind::Pure;
    (isPure ? m_turns : m_reductions).push_back({{loop, 0}, LoopKind::Serial});
  }

  const Stage &m_stage;
  const std::span<const std::int64_t> m_extents;
  const BlockShare &m_share;
  LoopNest m_nest;
  std::vector<Loop> m_unrolled, m_reductions, m_turns, m_blocks;
  std::array<std::optional<Loop>, 3> m_threads;
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
