// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/bounds/course.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::schedule {

// Ranges::speed also tells indices with different boundary conditions (clamps) apart: each
// condition adds the tiny amount kStopped to the speed. Other speeds differ by at least kSlowest.
inline constexpr double kStopped = 1e-6, kSlowest = 1e-3;

// Intervals of a stage's loops, and what is known of each.
struct Ranges {
  std::span<pipeline::Interval> loops;
  std::span<Extent> extents;
  std::span<std::int64_t> aligned; // the start is a multiple of this
  std::span<std::int64_t> slack;   // how much longer the range may be in another iteration
  std::span<double> speed; // distance moved per iteration; equal only for ranges that move alike
  std::span<bool> shifted; // true: at some sizes the last tile is shifted and begins anywhere
  std::span<bool> turned;  // true: somewhere on the way a clamp stops it, or it is mirrored
  std::span<Course> courses;

  void set(std::size_t loop, const pipeline::Interval &range, Extent extent) const {
    loops[loop] = range;
    extents[loop] = extent;
    aligned[loop] = 1;
    slack[loop] = 0;
    speed[loop] = 0;
    shifted[loop] = false;
    turned[loop] = false;
    courses[loop] = {};
  }
};

// What an index map reads when its loops run over given ranges.
struct Reach {
  pipeline::Interval reads;
  Extent extent = Extent::Constant; // how well Halide knows the extent of `reads`
  std::int64_t aligned = 1;         // the start of `reads` is a multiple of this
  std::int64_t slack = 0;           // how much longer `reads` may be, wherever the loops begin
  double speed = 0;
  bool shifted = false; // see Ranges::shifted
  bool turned = false;  // see Ranges::turned
  Course course;
};
Reach reachOf(const pipeline::IndexMap &map, const Ranges &ranges);
Reach reachOf(const pipeline::OneLoopMap &map, const Ranges &ranges);
// Reach::extent alone.
Extent extentOf(const pipeline::IndexMap &map, const Ranges &ranges);
Extent extentOf(const pipeline::OneLoopMap &map, const Ranges &ranges);

// cut(): what Halide knows of an extent after a division or a boundary condition. isCut(): whether
// a map has one of these.
Extent cut(Extent extent);
bool isCut(const pipeline::IndexMap &map);

// Whether two accesses keep their distance from each other in all iterations. Clamps are ignored.
bool movesAlike(const pipeline::IndexMap &a, const pipeline::IndexMap &b);

// Whether nothing is known about the index, for instance because it depends on data.
inline bool isAnywhere(const pipeline::IndexMap &map) {
  return map.precision == pipeline::Precision::Whole;
}

// Whether an index, or one of several, depends on any of these loops. True for an unknown index.
bool isMoved(const pipeline::IndexMap &map, std::span<const std::uint16_t> loops);
bool isMoved(const std::vector<pipeline::IndexMap> &maps, std::span<const std::uint16_t> loops);

} // namespace tessera::schedule
