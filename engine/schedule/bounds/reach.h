// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/course.h"
#include "engine/schedule/bounds/bounds.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::schedule {

// Each boundary on the way of an access adds kStopped to the speed of the access. Speeds that
// differ by less than kSlowest differ in nothing but such boundaries.
inline constexpr double kStopped = 1e-6, kSlowest = 1e-3;

// Intervals of a stage's loops, and what is known of each.
struct Ranges {
  std::span<pipeline::Interval> loops;
  std::span<Extent> extents;
  std::span<std::int64_t> aligned; // the start is a multiple of it
  std::span<std::int64_t> slack;   // how much longer it is in another iteration at most
  std::span<double> speed; // distance between iterations; equal only for ranges that move alike
  std::span<bool> shifted; // at another size, the last tile is shifted back and starts anywhere
  std::span<Course> courses;

  void set(std::size_t loop, const pipeline::Interval &range, Extent extent) const {
    loops[loop] = range;
    extents[loop] = extent;
    aligned[loop] = 1;
    slack[loop] = 0;
    speed[loop] = 0;
    shifted[loop] = false;
    courses[loop] = {};
  }
};

// What an index map reads when its loops run over such ranges.
struct Reach {
  pipeline::Interval reads;
  Extent extent = Extent::Constant; // how well Halide knows the extent of `reads`
  std::int64_t aligned = 1;         // the start of `reads` is a multiple of it
  std::int64_t slack = 0;           // how much longer it is at most, wherever the loops begin
  double speed = 0;
  bool shifted = false; // as Ranges::shifted
  Course course;
};
Reach reachOf(const pipeline::IndexMap &map, const Ranges &ranges);
Reach reachOf(const pipeline::OneLoopMap &map, const Ranges &ranges);
// Only the extent of that reach.
Extent extentOf(const pipeline::IndexMap &map, const Ranges &ranges);
Extent extentOf(const pipeline::OneLoopMap &map, const Ranges &ranges);

// The extent that is left after a division or a boundary, and whether a map has one of these.
Extent cut(Extent extent);
bool isCut(const pipeline::IndexMap &map);

// Whether two accesses keep their distance from each other in all iterations, clamps aside.
bool movesAlike(const pipeline::IndexMap &a, const pipeline::IndexMap &b);

// Whether data choose the index, or something else that nothing is known about.
inline bool isAnywhere(const pipeline::IndexMap &map) {
  return map.precision == pipeline::Precision::Whole;
}

// Whether an access, or one of several, moves along with any of these loops, as far as is known.
bool isMoved(const pipeline::IndexMap &map, std::span<const std::uint16_t> loops);
bool isMoved(const std::vector<pipeline::IndexMap> &maps, std::span<const std::uint16_t> loops);

} // namespace tessera::schedule
