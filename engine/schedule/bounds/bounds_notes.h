// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/footprint.h"
#include "engine/schedule/bounds/iteration.h"
#include "engine/schedule/bounds/reach.h"
#include "engine/schedule/plan.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::schedule {

// Results that Bounds stores in its arena while it measures a schedule.

// The footprint of a func in one iteration of `scope`. `next` points to a footprint of the func in
// another scope.
struct KnownFootprint {
  Place scope;
  Footprint footprint;
  const KnownFootprint *next = nullptr;
};

// The ranges of a stage's loops in one iteration of `scope`. They are used for all funcs that the
// stage reads.
struct KnownRanges {
  pipeline::StageId stage{};
  Place scope;
  Iteration iteration;
  std::byte *columns = nullptr; // memory of the ranges
  const KnownRanges *next = nullptr;
};

// The columns of Ranges or of a Footprint for `count` dimensions, in one piece of memory.
struct Columns {
  static constexpr std::size_t kRow = sizeof(pipeline::Interval) + 2 * sizeof(std::int64_t) +
                                      sizeof(double) + sizeof(Course) + sizeof(Extent) +
                                      2 * sizeof(bool);

  Columns(std::byte *memory, std::size_t count) {
    const auto column = [&]<typename T>(std::span<T> &items) {
      items = {reinterpret_cast<T *>(memory), count};
      memory += count * sizeof(T);
    };
    column(intervals);
    column(aligned);
    column(slack);
    column(speed);
    column(courses);
    column(extents);
    column(shifted);
    column(turned);
  }

  Ranges ranges() const {
    return {intervals, extents, aligned, slack, speed, shifted, turned, courses};
  }
  Footprint footprint() const {
    return {intervals, extents, aligned, slack, speed, shifted, turned, courses};
  }

  std::span<pipeline::Interval> intervals;
  std::span<std::int64_t> aligned, slack;
  std::span<double> speed;
  std::span<Extent> extents;
  std::span<bool> shifted, turned;
  std::span<Course> courses;
};

} // namespace tessera::schedule
