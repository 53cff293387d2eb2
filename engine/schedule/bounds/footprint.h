// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/plan.h"
#include "engine/schedule/bounds/reach.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::schedule {

inline constexpr pipeline::Interval kNothing{pipeline::kPlusInfinity, pipeline::kMinusInfinity};

// The region of a func that is computed in one iteration of a place, while bounds are measured.
// What its readers need is added reader by reader.
struct Footprint {
  std::span<pipeline::Interval> box;
  std::span<Extent> extents;       // by dimension
  std::span<std::int64_t> aligned; // by dimension: the start is a multiple of it
  std::span<std::int64_t> slack; // by dimension: how much longer it is in another iteration at most
  std::span<double> speed;       // by dimension, as Ranges::speed
  std::span<bool> shifted;       // by dimension, as Ranges::shifted
  std::span<Course> courses;     // by dimension
  bool reached = true;
  bool drifts = false; // some of its readers do not move alike

  // Adds what a reader needs when its loops run over these ranges; or what one of its accesses
  // needs, in one dimension.
  void add(const pipeline::Edge &read, const Ranges &ranges);
  void add(std::size_t dim, const Reach &reach);
  // Adds only how well Halide knows the extents, where the box is known otherwise.
  void addExtents(const pipeline::Edge &read, const Ranges &ranges);
  // Accounts for a clamp of a clamp: Halide no longer sees that both ends are one point.
  void forgetClamps();
  void limit(const pipeline::Box &region);
  void bound(std::size_t dim, const RegionBound &bound);

  // Sets the range of a loop that runs over one dimension of the footprint.
  void setLoop(const Ranges &ranges, std::size_t loop, std::size_t dim) const;
  bool isEmpty() const; // in at least one dimension
  bool isAs(const Footprint &other) const;
};

} // namespace tessera::schedule
