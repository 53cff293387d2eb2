// SPDX-License-Identifier: MIT
#include "engine/report/element_layout.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

namespace tessera::report {
namespace {

constexpr pipeline::ScalarType kWord{pipeline::TypeKind::UInt, 16};

// Computes the offsets in the obvious way, element by element.
std::vector<std::int64_t> offsetsOf(const ElementLayout &layout) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t number = 0; number < layout.count(); ++number) {
    std::int64_t rest = number, offset = 0;
    for (const ElementLayout::Side &side : layout.sides) {
      offset += rest % side.extent * side.stride;
      rest /= side.extent;
    }
    offsets.push_back(2 * offset);
  }
  return offsets;
}

TEST(ElementRuns, OfWhatHasNoGapsThereIsOne) {
  ElementRuns runs(denseLayout(kWord, {{3, 7}, {0, 3}, {-1, 1}}), 10, 50);
  const ElementRun run = runs.next();
  EXPECT_EQ(run.offset, 20);
  EXPECT_EQ(run.number, 10U);
  EXPECT_EQ(run.count, 40U);
  EXPECT_TRUE(runs.atEnd());
}

TEST(ElementRuns, EndWhereAGapIs) {
  ElementRuns runs({kWord, {{0, 3, 1}, {0, 2, 4}}}, 0, 6);
  EXPECT_EQ(runs.next().count, 3U);
  const ElementRun second = runs.next();
  EXPECT_EQ(second.offset, 8);
  EXPECT_EQ(second.count, 3U);
  EXPECT_TRUE(runs.atEnd());
}

// The dimensions lie in any order in memory, with or without gaps, and some have one element. The
// runs may visit any part of the layout.
TEST(ElementRuns, MeetEveryElementInItsPlace) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(0, 5);
    ElementLayout layout{kWord, std::vector<ElementLayout::Side>(count)};
    std::vector<std::size_t> order(count);
    for (std::size_t d = 0; d < count; ++d)
      order[d] = d;
    if (*rc::gen::arbitrary<bool>()) std::ranges::reverse(order);
    std::int64_t stride = *rc::gen::inRange<std::int64_t>(1, 3);
    for (const std::size_t d : order) {
      ElementLayout::Side &side = layout.sides[d];
      side.extent = *rc::gen::inRange<std::int64_t>(1, 6);
      side.stride = stride;
      stride *= side.extent;
      if (*rc::gen::inRange(0, 3) == 0) stride += *rc::gen::inRange<std::int64_t>(1, 4);
    }
    const std::vector<std::int64_t> offsets = offsetsOf(layout);
    const auto end = *rc::gen::inRange<std::size_t>(0, offsets.size() + 1);
    const auto begin = *rc::gen::inRange<std::size_t>(0, end + 1);
    std::size_t number = begin;
    for (ElementRuns runs(layout, begin, end); !runs.atEnd();) {
      const ElementRun run = runs.next();
      RC_ASSERT(run.count > 0U);
      for (std::uint64_t i = 0; i < run.count; ++i, ++number) {
        RC_ASSERT(number == run.number + i);
        RC_ASSERT(offsets[number] == run.offset + 2 * static_cast<std::int64_t>(i));
      }
    }
    RC_ASSERT(number == end);
  }));
}

} // namespace
} // namespace tessera::report
