// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/parts.h"
#include "engine/pipeline/types.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera::report {

// Where the elements of a region are in memory, relative to the first element. Elements are
// numbered with the first side as the fastest.
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
  std::int64_t offset;  // in bytes, of its first element
  std::uint64_t number; // of its first element
  std::uint64_t count;
};

// The runs of the elements from `begin` to `end`, by rising number, each as long as possible.
class ElementRuns {
public:
  ElementRuns(const ElementLayout &layout, std::uint64_t begin, std::uint64_t end);

  bool atEnd() const { return m_number == m_end; }
  ElementRun next();

private:
  std::vector<ElementLayout::Side> m_sides; // contiguous neighbours are merged into one
  std::int64_t m_bytes;                     // bytes of an element
  std::uint64_t m_number, m_end;
  std::vector<std::int64_t> m_at;
  std::int64_t m_offset = 0; // in elements
};

// Calls `visit(made, run)` for all elements, in parts that run in parallel, and returns what was
// made of each part.
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
