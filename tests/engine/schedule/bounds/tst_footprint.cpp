// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/footprint.h"

#include <gtest/gtest.h>

#include <array>

namespace tessera::schedule {
namespace {

// The spans of a footprint of one dimension.
struct Line {
  std::array<pipeline::Interval, 1> box = {pipeline::Interval{.min = 0, .max = 7}};
  std::array<Extent, 1> extents = {Extent::Constant};
  std::array<std::int64_t, 1> aligned = {8};
  std::array<std::int64_t, 1> slack = {0};
  std::array<double, 1> speed = {1};
  std::array<bool, 1> shifted = {false};
  std::array<Course, 1> courses = {Course{.ends = Course::Ends::Together, .step = 8}};

  Footprint footprint() {
    return {.box = box,
            .extents = extents,
            .aligned = aligned,
            .slack = slack,
            .speed = speed,
            .shifted = shifted,
            .courses = courses};
  }
};

TEST(Footprint, IsAsAnotherWithTheSameNumbers) {
  Line one, other;
  EXPECT_TRUE(one.footprint().isAs(other.footprint()));
}

// Two footprints with the same ranges may differ in how their ends follow the tile's index (their
// courses). They are then not the same, because the number of threads depends on the course.
TEST(Footprint, IsNotAsAnotherThatMovesOtherwise) {
  Line one, other;
  other.courses[0].ends = Course::Ends::Apart;
  EXPECT_FALSE(one.footprint().isAs(other.footprint()));
}

} // namespace
} // namespace tessera::schedule
