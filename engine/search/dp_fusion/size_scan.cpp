// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/size_scan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

// Section 6 and 7.1 of Jangda and Guha 2020.
namespace tessera::search {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kKept = 4;
constexpr std::array kTransactionBytes{128, 32}; // "GMemTxSize ∈ {32, 128}"
constexpr int kTenths = 10;                      // "fracRegTile ∈ {0.0, 0.1, …, 1.0}"

std::int64_t powerFor(std::int64_t extent) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(extent)));
}

// "thread block sizes (as a multiple of WarpSize)": products of powers of two, of which none is
// longer than the output needs. A block has at least a warp: "We add extra threads as padding if
// needed" (section 4).
std::vector<Sides> blocksFor(const Sides &extents, const machine::Limits &limits) {
  std::vector<Sides> blocks;
  const auto most = [&](std::size_t i, std::int64_t least) {
    return std::min(limits.blockDims[i], std::max(least, powerFor(extents[i])));
  };
  for (std::int64_t z = 1; z <= most(2, 1); z *= 2)
    for (std::int64_t y = 1; y <= most(1, 1); y *= 2)
      for (std::int64_t x = 1; x <= most(0, limits.warpSize); x *= 2) {
        const std::int64_t threads = x * y * z;
        if (threads % limits.warpSize == 0 && threads <= limits.threadsPerBlock)
          blocks.push_back({x, y, z});
      }
  return blocks;
}

} // namespace

SizeScan::SizeScan(DpCost cost, Tiles tiles, TilePer per, const machine::Machine &machine,
                   const DpParameters &parameters)
    : m_cost(std::move(cost)), m_per(per) {
  if (!m_cost.isConstant()) return; // line 2 of algorithm 2
  m_blocks = blocksFor(m_cost.extents(), machine.limits);
  for (std::size_t i = 0; i < m_tiles.size(); ++i) {
    const bool all = tiles == Tiles::All && i < 2;
    const std::int64_t most =
        std::min(static_cast<std::int64_t>(parameters.maxTile), powerFor(m_cost.extents()[i]));
    for (std::int64_t size = 1; size <= most; size = all ? size + 1 : size * 2)
      m_tiles[i].push_back(size);
  }
}

bool SizeScan::step() {
  if (m_next == m_blocks.size()) return false;
  evaluate(m_blocks[m_next++]);
  return true;
}

void SizeScan::evaluate(const Sides &block) {
  Choice best;
  best.terms.cost = kInfinity;
  // A tile beyond the output's end is no more than a shorter one.
  const auto isTooLong = [&](std::size_t i, std::int64_t size) {
    return size > 1 && (size - 1) * block[i] >= m_cost.extents()[i];
  };
  for (const std::int64_t z : m_tiles[2])
    for (const std::int64_t y : m_tiles[1])
      for (const std::int64_t x : m_tiles[0]) {
        if (isTooLong(0, x) || isTooLong(1, y) || isTooLong(2, z)) break;
        if (!evaluate({x, y, z}, block, best)) break;
      }
  if (std::isfinite(best.terms.cost)) add(best);
}

// Returns false if a longer tile cannot be better: it needs more shared memory (line 12) and has
// more transactions (line 17).
bool SizeScan::evaluate(const Sides &tile, const Sides &block, Choice &best) {
  bool isFinite = false;
  const double kept = m_best.size() == kKept ? m_best.back().terms.cost : kInfinity;
  for (const int bytes : kTransactionBytes) {
    DpSizes sizes{tile, block, 0, bytes};
    if (m_cost.leastOf(sizes) >= std::min(kept, best.terms.cost)) continue;
    const int tenths = m_per == TilePer::Warp ? kTenths : 0;
    for (int inRegisters = 0; inRegisters <= tenths; ++inRegisters) {
      sizes.inRegisters = static_cast<double>(inRegisters) / kTenths;
      const DpTerms terms = m_cost.of(sizes);
      isFinite = isFinite || std::isfinite(terms.cost);
      if (terms.cost < best.terms.cost) best = {sizes, terms};
    }
  }
  return isFinite;
}

void SizeScan::add(const Choice &choice) {
  const auto after = std::ranges::upper_bound(m_best, choice.terms.cost, {},
                                              [](const Choice &one) { return one.terms.cost; });
  if (static_cast<std::size_t>(after - m_best.begin()) >= kKept) return;
  m_best.insert(after, choice);
  if (m_best.size() > kKept) m_best.pop_back();
}

} // namespace tessera::search
