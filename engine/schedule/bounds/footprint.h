// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/plan.h"
#include "engine/schedule/bounds/reach.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::schedule {

inline constexpr pipeline::Interval kNothing{pipeline::kPlusInfinity, pipeline::kMinusInfinity};

// What is computed of a func in one iteration of a place, while a shape is measured: what its
// readers need, one after the other.
struct Footprint {
  std::span<pipeline::Interval> box;
  std::span<Extent> extents;       // by dimension
  std::span<std::int64_t> aligned; // by dimension: what its start is a multiple of
  std::span<std::int64_t> slack;   // by dimension: how much longer it is in another iteration
  std::span<double> speed;         // by dimension, as Ranges::speed
  std::span<bool> shifted;         // by dimension, as Ranges::shifted
  std::span<Course> courses;       // by dimension
  bool reached = true;
  bool drifts = false; // it has readers that do not move alike

  // What a reader needs whose loops run over these ranges; or one access of it, in one dimension.
  void add(const pipeline::Edge &read, const Ranges &ranges);
  void add(std::size_t dim, const Reach &reach);
  // How well Halide knows that, where the box is known otherwise.
  void addExtents(const pipeline::Edge &read, const Ranges &ranges);
  // Clamps of clamps, where Halide no longer sees that both ends are one.
  void forgetClamps();
  void limit(const pipeline::Box &region);
  void bound(std::size_t dim, const RegionBound &bound);

  // What a loop over one dimension of it runs over.
  void setLoop(const Ranges &ranges, std::size_t loop, std::size_t dim) const;
  bool isEmpty() const; // in any dimension
  bool isAs(const Footprint &other) const;
};

} // namespace tessera::schedule
