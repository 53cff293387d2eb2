// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/reach.h"
#include "engine/schedule/plan.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::schedule {

inline constexpr pipeline::Interval kNothing{pipeline::kPlusInfinity, pipeline::kMinusInfinity};

// The region of a func that is computed in one iteration of a place. It grows reader by reader
// while bounds are measured.
struct Footprint {
  std::span<pipeline::Interval> box;
  std::span<Extent> extents;       // by dimension: how well Halide knows the extent
  std::span<std::int64_t> aligned; // by dimension: the start is a multiple of this
  std::span<std::int64_t> slack;   // by dimension: how much longer it may be in other iterations
  std::span<double> speed;         // by dimension; see Ranges::speed
  std::span<bool> shifted;         // by dimension; see Ranges::shifted
  std::span<bool> turned;          // by dimension; see Ranges::turned
  std::span<Course> courses;       // by dimension
  bool reached = true;
  bool drifts = false;      // true: some of its readers move at different speeds
  std::uint64_t parted = 0; // a bit for each dimension in which speeds, and not only clamps, differ

  // Adds what a reader needs when its loops run over `ranges`. The second form adds what one index
  // needs in one dimension.
  void add(const pipeline::Edge &read, const Ranges &ranges);
  void add(std::size_t dim, const Reach &reach);
  // Like add(), but changes only the extents and not the box, which is known from elsewhere.
  void addExtents(const pipeline::Edge &read, const Ranges &ranges);
  // For reads through an inlined func: if clamps are nested, Halide no longer sees that both ends
  // of a clamped range are one point.
  void forgetClamps();
  void limit(const pipeline::Box &region);
  // `whole` is what is computed of the func in all.
  void bound(std::size_t dim, const RegionBound &bound, const pipeline::Interval &whole);

  // Sets the range of a loop that runs over one dimension of the footprint.
  void setLoop(const Ranges &ranges, std::size_t loop, std::size_t dim) const;
  // Readers of different speeds are furthest apart in a corner of the loops, unless a clamp stops
  // one of them on the way, or one is mirrored at an outer loop and not at an inner one. There the
  // slack becomes large enough for the whole region.
  void spread(const pipeline::Box &region) const;
  bool isEmpty() const; // empty in at least one dimension
  bool isAs(const Footprint &other) const;
};

} // namespace tessera::schedule
