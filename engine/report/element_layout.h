// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/parts.h"
#include "engine/pipeline/types.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera::report {

// Where the elements of a region are in memory, relative to the first element. The index of an
// element runs fastest along the first side.
struct ElementLayout {
  struct Side {
    std::int64_t min = 0, extent = 1;
    std::int64_t stride = 1; // in elements
  };
  pipeline::ScalarType type;
  std::vector<Side> sides;

  std::int64_t count() const;
};
ElementLayout denseLayout(pipeline::ScalarType type, const pipeline::Box &region);

// Contiguous elements.
struct ElementRun {
  std::int64_t offset;  // of the first element, in bytes
  std::uint64_t number; // index of the first element
  std::uint64_t count;
};

// The contiguous runs of the elements from `begin` to `end`, in ascending order, each as long as
// possible.
class ElementRuns {
public:
  ElementRuns(const ElementLayout &layout, std::uint64_t begin, std::uint64_t end);

  bool atEnd() const { return m_number == m_end; }
  ElementRun next();

private:
  std::vector<ElementLayout::Side> m_sides; // sides that are contiguous in memory are merged
  std::int64_t m_bytes;                     // bytes per element
  std::uint64_t m_number, m_end;
  std::vector<std::int64_t> m_at;
  std::int64_t m_offset = 0; // in elements
};

// Calls `visit(made, run)` for all runs of elements. Ranges of elements run in parallel; each
// collects its result in its own `made`. Returns these results in the order of the ranges.
template <typename Made, typename Visit>
std::vector<Made> byRuns(const ElementLayout &layout, const Visit &visit) {
  const auto count = static_cast<std::uint64_t>(layout.count());
  if (count == 0) return {};
  return inParts(count, [&](std::uint64_t begin, std::uint64_t end) {
    Made made{};
    for (ElementRuns runs(layout, begin, end); !runs.atEnd();)
      visit(made, runs.next());
    return made;
  });
}

} // namespace tessera::report
