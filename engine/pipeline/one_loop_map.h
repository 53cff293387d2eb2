// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/access.h"

#include <cstdint>

namespace tessera::pipeline {

// An index map that depends on one loop only, stored compactly. Nearly all maps are of this kind,
// and a search evaluates them hundreds of millions of times.
//
//   scale · clamp( ⌊ (coefficient · loop + offset) / divisor ⌋ , clamp ) + further
class OneLoopMap {
public:
  OneLoopMap() = default;
  // Empty unless `map` has one atom with one loop and bounded offsets, and is not Whole.
  explicit OneLoopMap(const IndexMap &map);

  explicit operator bool() const { return m_loop != kNone; }
  std::uint32_t loop() const { return m_loop; }
  // Whether the map is its loop plus a constant, as in most stencils.
  bool isShift() const { return m_isShift; }
  std::int64_t coefficient() const { return m_coefficient; }
  std::int64_t divisor() const { return m_divisor; }
  std::int64_t scale() const { return m_scale; }
  const Interval &offset() const { return m_offset; } // {0, 0} for a shift
  const Interval &clamp() const { return m_clamp; }
  const Interval &further() const { return m_further; }

  // The interval that the map gives when its loop runs over an interval.
  Interval evaluate(const Interval &loop) const {
    if (!m_isPlain || !isPlain(loop)) return evaluateAny(loop);
    if (m_isShift) return {loop.min + m_further.min, loop.max + m_further.max};
    Interval at{m_coefficient * loop.min + m_offset.min, m_coefficient * loop.max + m_offset.max};
    at = {at.min >> m_shift, at.max >> m_shift}; // rounds down, as required
    at = {std::min(std::max(at.min, m_clamp.min), m_clamp.max),
          std::min(std::max(at.max, m_clamp.min), m_clamp.max)};
    return {m_scale * at.min + m_further.min, m_scale * at.max + m_further.max};
  }

  friend bool operator==(const OneLoopMap &, const OneLoopMap &) = default;

private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  // The magnitudes below which the inline code of evaluate() cannot overflow: kPlainFactor for the
  // coefficient and the scale, kPlain for the loop's ends and the offsets.
  static constexpr std::uint64_t kPlain = 1U << 30;
  static constexpr std::int64_t kPlainFactor = 1 << 15;
  static bool isPlain(std::int64_t value) {
    return static_cast<std::uint64_t>(value) + kPlain < 2 * kPlain;
  }
  static bool isPlain(const Interval &interval) {
    return isPlain(interval.min) && isPlain(interval.max);
  }
  static bool isPlainFactor(std::int64_t factor) { return factor > 0 && factor < kPlainFactor; }
  Interval evaluateAny(const Interval &loop) const;

  std::uint32_t m_loop = kNone;
  bool m_isShift = false;
  bool m_isPlain = false; // the inline code of evaluate() applies; the divisor is 2^m_shift
  std::uint8_t m_shift = 0;
  std::int64_t m_coefficient = 1, m_divisor = 1, m_scale = 1;
  Interval m_offset{0, 0}, m_clamp = kEverything, m_further{0, 0};
};

} // namespace tessera::pipeline
