// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/parts.h"
#include "engine/pipeline/types.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera::report {

// Where the elements of a region are in memory, from its first one on. Numbered with the first
// side as the fastest.
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

// Elements that follow each other without a gap.
struct ElementRun {
  std::int64_t offset;  // in bytes, of its first element
  std::uint64_t number; // of its first element
  std::uint64_t count;
};

// The runs of `begin` to `end`, in the order of their numbers, as long as they can be.
class ElementRuns {
public:
  ElementRuns(const ElementLayout &layout, std::uint64_t begin, std::uint64_t end);

  bool atEnd() const { return m_number == m_end; }
  ElementRun next();

private:
  std::vector<ElementLayout::Side> m_sides; // those without a gap between them made one
  std::int64_t m_bytes;                     // of an element
  std::uint64_t m_number, m_end;
  std::vector<std::int64_t> m_at;
  std::int64_t m_offset = 0; // in elements
};

// What is made of all elements by parts, side by side: `visit(made, run)`.
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
