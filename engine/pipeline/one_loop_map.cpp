// SPDX-License-Identifier: MIT
#include "engine/pipeline/one_loop_map.h"

#include "engine/pipeline/saturating.h"

#include <bit>
#include <utility>

namespace tessera::pipeline {

OneLoopMap::OneLoopMap(const IndexMap &map) {
  if (map.atoms.size() != 1 || map.precision == Precision::Whole || !map.offset.bounded()) return;
  const Atom &atom = map.atoms.front();
  if (atom.terms.size() != 1 || !atom.offset.bounded()) return;
  m_loop = atom.terms.front().loop;
  m_coefficient = atom.terms.front().coefficient;
  m_divisor = atom.divisor;
  m_scale = atom.scale;
  m_offset = atom.offset;
  m_clamp = atom.clamp;
  m_further = map.offset;
  m_isShift = m_coefficient == 1 && m_divisor == 1 && m_scale == 1 && m_clamp == kEverything;
  if (m_isShift) m_further = plus(m_further, std::exchange(m_offset, {0, 0}));
  // The inline code of evaluate() is only for small numbers. An end of the clamp may be infinite or
  // large, as long as no small number is clamped to it.
  const bool clampsPlainly =
      m_clamp.min <= std::int64_t{kPlain} && m_clamp.max >= -std::int64_t{kPlain};
  m_isPlain = isPlainFactor(m_coefficient) && isPlainFactor(m_scale) && isPlain(m_offset) &&
              isPlain(m_further) && clampsPlainly &&
              std::has_single_bit(static_cast<std::uint64_t>(m_divisor));
  if (m_isPlain)
    m_shift = static_cast<std::uint8_t>(std::countr_zero(static_cast<std::uint64_t>(m_divisor)));
}

Interval OneLoopMap::evaluateAny(const Interval &loop) const {
  const Interval at = floorDivide(plus(m_offset, times(loop, m_coefficient)), m_divisor);
  return plus(m_further, times(pipeline::clamp(at, m_clamp), m_scale));
}

} // namespace tessera::pipeline
