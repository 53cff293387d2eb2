// SPDX-License-Identifier: MIT
#include "engine/report/element_layout.h"

namespace tessera::report {

namespace {

using Side = ElementLayout::Side;

std::vector<Side> merged(const std::vector<Side> &sides) {
  std::vector<Side> result{{0, 1, 1}};
  for (const Side &side : sides) {
    if (side.extent == 1) continue;
    Side &last = result.back();
    if (side.stride == last.stride * last.extent)
      last.extent *= side.extent;
    else
      result.push_back(side);
  }
  return result;
}

} // namespace

std::int64_t ElementLayout::count() const {
  std::int64_t count = 1;
  for (const Side &side : sides)
    count *= std::max<std::int64_t>(side.extent, 0);
  return count;
}

ElementLayout denseLayout(pipeline::ScalarType type, const pipeline::Box &region) {
  ElementLayout layout{type, {}};
  std::int64_t stride = 1;
  for (const pipeline::Interval &side : region) {
    layout.sides.push_back({side.min, side.extent(), stride});
    stride *= side.extent();
  }
  return layout;
}

ElementRuns::ElementRuns(const ElementLayout &layout, std::uint64_t begin, std::uint64_t end)
    : m_sides(merged(layout.sides)), m_bytes(layout.type.bytes()), m_number(begin), m_end(end) {
  auto rest = static_cast<std::int64_t>(begin);
  for (const Side &side : m_sides) {
    m_at.push_back(rest % side.extent);
    m_offset += side.stride * m_at.back();
    rest /= side.extent;
  }
}

// The first of the merged sides is always contiguous. It has one element if the layout has no
// contiguous side.
ElementRun ElementRuns::next() {
  const auto left = static_cast<std::uint64_t>(m_sides[0].extent - m_at[0]);
  const ElementRun run{m_offset * m_bytes, m_number, std::min(left, m_end - m_number)};
  m_number += run.count;
  const auto step = static_cast<std::int64_t>(run.count);
  m_at[0] += step;
  m_offset += step;
  for (std::size_t d = 0; d + 1 < m_sides.size() && m_at[d] == m_sides[d].extent; ++d) {
    m_offset += m_sides[d + 1].stride - m_sides[d].stride * m_sides[d].extent;
    m_at[d] = 0;
    ++m_at[d + 1];
  }
  return run;
}

} // namespace tessera::report
