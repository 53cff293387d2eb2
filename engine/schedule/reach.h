// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/shape.h"

#include <cstdint>
#include <span>

namespace tessera::schedule {

// Intervals of a stage's loops, and what is known of each.
struct Ranges {
  std::span<pipeline::Interval> loops;
  std::span<Extent> extents;
  std::span<std::int64_t> aligned; // what its start is a multiple of
  std::span<std::int64_t> slack;   // how much longer it is in another iteration
  std::span<double> speed; // how far it is in another: equal for those that move alike, else not
};

// What an index map makes of them: how well Halide knows how far it reaches, what the start of that
// is a multiple of, and how much it is at most, wherever the loops begin.
Extent extentOf(const pipeline::IndexMap &map, const Ranges &ranges);
std::int64_t alignmentOf(const pipeline::IndexMap &map, const Ranges &ranges);
std::int64_t longest(const pipeline::IndexMap &map, const Ranges &ranges);
double speedOf(const pipeline::IndexMap &map, const Ranges &ranges);

// What a division or the end of a boundary leaves, and whether a map has one.
Extent cut(Extent extent);
bool isCut(const pipeline::IndexMap &map);

// Whether two accesses stay as far from each other in all iterations, clamps aside.
bool movesAlike(const pipeline::IndexMap &a, const pipeline::IndexMap &b);

} // namespace tessera::schedule
