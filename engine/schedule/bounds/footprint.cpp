// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/footprint.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::schedule {

using pipeline::IndexMap;
using pipeline::Interval;

namespace {

bool isNothing(const Interval &interval) { return interval == kNothing; }

std::uint64_t bitOf(std::size_t dim) { return dim < 64 ? std::uint64_t{1} << dim : 0; }

// Makes `extent` vaguer if a stage reads a dimension at several indices whose distance may vary:
// f(x) and f(0) are x apart, f(x/2) and f((x + 1)/2) are one element apart or none.
void addWays(Extent &extent, const std::vector<IndexMap> &maps) {
  if (maps.size() < 2) return;
  const bool apart = std::ranges::any_of(
      maps, [&](const IndexMap &map) { return !movesAlike(map, maps.front()); });
  if (apart && extent != Extent::Constant && extent != Extent::Whole)
    extent = Extent::Unknown;
  else if (std::ranges::any_of(maps, isCut))
    extent = std::max(extent, cut(Extent::Fixed));
}

} // namespace

void Footprint::add(const pipeline::Edge &read, const Ranges &ranges) {
  auto oneLoop = read.oneLoop.begin();
  for (std::size_t d = 0; d < box.size(); ++d) {
    for (const IndexMap &map : read.maps[d]) {
      add(d, *oneLoop ? reachOf(*oneLoop, ranges) : reachOf(map, ranges));
      ++oneLoop;
    }
    addWays(extents[d], read.maps[d]);
  }
}

void Footprint::add(std::size_t dim, const Reach &reach) {
  Interval &side = box[dim];
  Extent &extent = extents[dim];
  extent = std::max(extent, reach.extent);
  constexpr double kRounding = 1e-9;
  if (const double apart = std::abs(reach.speed - speed[dim]);
      !isNothing(side) && apart > kRounding) {
    drifts = true;
    if (apart > kSlowest) parted |= bitOf(dim);
    if (apart > kSlowest && extent != Extent::Constant && extent != Extent::Whole)
      extent = Extent::Unknown;
  }
  speed[dim] = reach.speed;
  shifted[dim] = shifted[dim] || reach.shifted;
  turned[dim] = turned[dim] || reach.turned;
  if (isNothing(side))
    courses[dim] = reach.course;
  else
    courses[dim].join(reach.course);
  if (side != pipeline::kEverything) { // an unbounded side cannot grow
    // To Halide, two accesses are two ranges, even if they coincide for the estimated sizes.
    if (extent == Extent::Adrift && !isNothing(side)) extent = Extent::Bounded;
    side = isNothing(side) ? reach.reads : pipeline::hull(side, reach.reads);
    slack[dim] = std::max(slack[dim], reach.slack);
  }
  if (aligned[dim] != reach.aligned) aligned[dim] = std::gcd(aligned[dim], reach.aligned);
}

void Footprint::addExtents(const pipeline::Edge &read, const Ranges &ranges) {
  auto oneLoop = read.oneLoop.begin();
  for (std::size_t d = 0; d < extents.size(); ++d) {
    for (const IndexMap &map : read.maps[d]) {
      const Extent extent = *oneLoop ? extentOf(*oneLoop, ranges) : extentOf(map, ranges);
      extents[d] = std::max(extents[d], extent);
      ++oneLoop;
    }
    addWays(extents[d], read.maps[d]);
  }
}

void Footprint::forgetClamps() { std::ranges::replace(extents, Extent::Adrift, Extent::Bounded); }

void Footprint::limit(const pipeline::Box &region) {
  for (std::size_t d = 0; d < box.size(); ++d) {
    Interval &side = box[d];
    if (isNothing(side)) side = region[d];
    if (side.min == pipeline::kMinusInfinity) side.min = region[d].min;
    if (side.max == pipeline::kPlusInfinity) side.max = region[d].max;
    const std::int64_t rest = region[d].extent() - side.extent(); // < 0: tails exceed the region
    if (rest >= 0) slack[d] = std::min(slack[d], rest);
  }
}

void Footprint::bound(std::size_t dim, const RegionBound &bound, const Interval &whole) {
  Interval &side = box[dim];
  Extent &extent = extents[dim];
  // Halide computes all that is bound, however little of it is needed.
  if (bound.min && bound.extent && Interval{*bound.min, *bound.min + *bound.extent - 1} == whole)
    side = pipeline::hull(side, whole);
  if (bound.extent) extent = std::min(extent, bound.min ? Extent::Constant : Extent::Fixed);
  if (bound.modulus <= 0) return;
  // The computed region begins and ends at multiples, so both ends are rounded outwards.
  aligned[dim] = bound.modulus;
  side.min = pipeline::floorDivide(side.min - bound.remainder, bound.modulus) * bound.modulus +
             bound.remainder;
  courses[dim].divide(bound.modulus);
  courses[dim].multiply(bound.modulus);
  const std::int64_t length = side.max - side.min + 1;
  side.max = side.min + (length + bound.modulus - 1) / bound.modulus * bound.modulus - 1;
  slack[dim] = pipeline::saturatingAdd(slack[dim], bound.modulus);
}

void Footprint::setLoop(const Ranges &ranges, std::size_t loop, std::size_t dim) const {
  ranges.loops[loop] = box[dim];
  ranges.extents[loop] = extents[dim];
  ranges.aligned[loop] = aligned[dim];
  ranges.slack[loop] = slack[dim];
  ranges.speed[loop] = speed[dim];
  ranges.shifted[loop] = shifted[dim];
  ranges.turned[loop] = turned[dim];
  ranges.courses[loop] = courses[dim];
}

void Footprint::spread(const pipeline::Box &region) const {
  for (std::size_t d = 0; d < box.size(); ++d)
    if (turned[d] && (parted & bitOf(d)) != 0)
      slack[d] = std::max(slack[d], region[d].extent() - box[d].extent());
}

bool Footprint::isEmpty() const { return std::ranges::any_of(box, isNothing); }

bool Footprint::isAs(const Footprint &other) const {
  return std::ranges::equal(box, other.box) && std::ranges::equal(extents, other.extents) &&
         std::ranges::equal(aligned, other.aligned) && std::ranges::equal(slack, other.slack) &&
         std::ranges::equal(speed, other.speed) && std::ranges::equal(shifted, other.shifted) &&
         std::ranges::equal(turned, other.turned) && std::ranges::equal(courses, other.courses) &&
         reached == other.reached && drifts == other.drifts && parted == other.parted;
}

} // namespace tessera::schedule
