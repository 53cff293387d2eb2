// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/course.h"
#include "engine/schedule/bounds/bounds.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::schedule {

// What a boundary stops is as fast as what it does not, but for this at each boundary on its way:
// speeds that are less than kSlowest apart tell one from the other, and nothing else.
inline constexpr double kStopped = 1e-6, kSlowest = 1e-3;

// Intervals of a stage's loops, and what is known of each.
struct Ranges {
  std::span<pipeline::Interval> loops;
  std::span<Extent> extents;
  std::span<std::int64_t> aligned; // what its start is a multiple of
  std::span<std::int64_t> slack;   // how much longer it is in another iteration
  std::span<double> speed; // how far it is in another: equal for those that move alike, else not
  std::span<bool> shifted; // at another size, the last one starts anywhere: it was shifted back
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

// What an index map makes of them.
struct Reach {
  pipeline::Interval reads;
  Extent extent = Extent::Constant; // how well Halide knows how far it reaches
  std::int64_t aligned = 1;         // what the start of that is a multiple of
  std::int64_t slack = 0;           // how much more it is at most, wherever the loops begin
  double speed = 0;
  bool shifted = false; // as Ranges::shifted
  Course course;
};
Reach reachOf(const pipeline::IndexMap &map, const Ranges &ranges);
Reach reachOf(const pipeline::OneLoopMap &map, const Ranges &ranges);
// Of that, the extent alone.
Extent extentOf(const pipeline::IndexMap &map, const Ranges &ranges);
Extent extentOf(const pipeline::OneLoopMap &map, const Ranges &ranges);

// What a division or the end of a boundary leaves, and whether a map has one.
Extent cut(Extent extent);
bool isCut(const pipeline::IndexMap &map);

// Whether two accesses stay as far from each other in all iterations, clamps aside.
bool movesAlike(const pipeline::IndexMap &a, const pipeline::IndexMap &b);

// Whether data choose the place, or something else that nothing is known of.
inline bool isAnywhere(const pipeline::IndexMap &map) {
  return map.precision == pipeline::Precision::Whole;
}

// Whether an access, or one of several, moves along with any of some loops, as far as is known.
bool isMoved(const pipeline::IndexMap &map, std::span<const std::uint16_t> loops);
bool isMoved(const std::vector<pipeline::IndexMap> &maps, std::span<const std::uint16_t> loops);

} // namespace tessera::schedule
