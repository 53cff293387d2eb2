// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/reach.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <cstdlib>

namespace tessera::schedule {

using pipeline::AffineTerm;
using pipeline::Atom;
using pipeline::IndexMap;
using pipeline::Interval;
using pipeline::Precision;

namespace {

// How far a quotient moves at most while its dividend moves by `steps`. With `isSteady`, the
// dividend always begins at the remainder that `first` has; otherwise at any remainder.
std::int64_t divided(std::int64_t steps, std::int64_t divisor, std::int64_t first, bool isSteady) {
  if (divisor == 1) return steps;
  const std::int64_t rest =
      isSteady ? first - pipeline::floorDivide(first, divisor) * divisor : divisor - 1;
  return pipeline::saturatingAdd(steps, rest) / divisor;
}

std::int64_t mostOf(const Interval &clamp) {
  return clamp.bounded() ? clamp.extent() - 1 : pipeline::kPlusInfinity;
}

// How far the value of an atom of a map moves at most while its loops run, wherever they begin.
std::int64_t steps(const Atom &atom, const Ranges &ranges) {
  const std::int64_t most = mostOf(atom.clamp);
  if (!atom.offset.bounded()) return most;
  std::int64_t steps = atom.offset.max - atom.offset.min;
  bool divides = true; // true: the sum of all terms always begins at the same remainder
  for (const AffineTerm &term : atom.terms) {
    if (!ranges.loops[term.loop].bounded()) return most;
    const std::int64_t more = ranges.loops[term.loop].extent() - 1 + ranges.slack[term.loop];
    steps = pipeline::saturatingAdd(steps,
                                    pipeline::saturatingMultiply(std::abs(term.coefficient), more));
    divides = divides && term.coefficient > 0 && !ranges.shifted[term.loop] &&
              ranges.aligned[term.loop] * term.coefficient % atom.divisor == 0;
  }
  return std::min(divided(steps, atom.divisor, atom.offset.min, divides), most);
}

// What Halide knows of an extent after the division and the clamp. `terms`: what it knows before.
Extent extentAfter(Extent terms, bool divides, const Interval &clamp, bool isPoint) {
  const bool limited = clamp != pipeline::kEverything;
  const bool cuts = limited || (!divides && terms != Extent::Constant);
  if (!cuts) return terms;
  if (isPoint && terms != Extent::Adrift && terms <= Extent::Guarded)
    return std::max(terms, Extent::Adrift);
  return cut(terms);
}

bool isPoint(const Interval &interval) { return interval.min == interval.max; }

// Whether a division is applied only to tiles that begin at multiples of the divisor, none of which
// is shifted inwards.
bool meetsStarts(const Ranges &ranges, std::uint32_t loop, std::int64_t coefficient,
                 std::int64_t divisor) {
  return divisor == 1 ||
         (!ranges.shifted[loop] && ranges.aligned[loop] * coefficient % divisor == 0);
}

Extent extentOf(const Atom &atom, const Ranges &ranges) {
  Extent terms = Extent::Constant;
  bool point = isPoint(atom.offset), divides = true;
  for (const AffineTerm &term : atom.terms) {
    terms = std::max(terms, ranges.extents[term.loop]);
    point = point && isPoint(ranges.loops[term.loop]);
    divides = divides && meetsStarts(ranges, term.loop, term.coefficient, atom.divisor);
  }
  return extentAfter(terms, divides, atom.clamp, point);
}

std::int64_t longest(const IndexMap &map, const Ranges &ranges) {
  std::int64_t length = map.offset.extent();
  for (const Atom &atom : map.atoms)
    length = pipeline::saturatingAdd(
        length, pipeline::saturatingMultiply(std::abs(atom.scale), steps(atom, ranges)));
  return length;
}

double speedOf(const IndexMap &map, const Ranges &ranges) {
  double speed = 0;
  for (const Atom &atom : map.atoms) {
    if (atom.clamp != pipeline::kEverything) speed += kStopped;
    for (const AffineTerm &term : atom.terms)
      speed += static_cast<double>(atom.scale * term.coefficient) * ranges.speed[term.loop] /
               static_cast<double>(atom.divisor);
  }
  return speed;
}

// The course of an atom, or of a map of one loop. `terms` is the course before the division.
Course courseAfter(Course terms, std::int64_t divisor, const Interval &clamp, std::int64_t scale,
                   bool isPoint) {
  terms.divide(divisor);
  if (clamp != pipeline::kEverything) terms.clamp(isPoint);
  terms.multiply(scale);
  return terms;
}

Course courseOf(const Atom &atom, const Ranges &ranges) {
  Course course;
  bool point = true;
  for (const AffineTerm &term : atom.terms) {
    Course one = ranges.courses[term.loop];
    one.multiply(term.coefficient);
    course.join(one);
    point = point && isPoint(ranges.loops[term.loop]);
  }
  return courseAfter(course, atom.divisor, atom.clamp, atom.scale, point);
}

Course courseOf(const IndexMap &map, const Ranges &ranges) {
  Course course;
  for (const Atom &atom : map.atoms)
    course.join(courseOf(atom, ranges));
  return course;
}

bool isTurned(const IndexMap &map, const Ranges &ranges) {
  return std::ranges::any_of(map.atoms, [&](const Atom &atom) {
    return atom.clamp != pipeline::kEverything ||
           std::ranges::any_of(atom.terms, [&](const AffineTerm &term) {
             return atom.scale * term.coefficient < 0 || ranges.turned[term.loop];
           });
  });
}

bool isShifted(const IndexMap &map, const Ranges &ranges) {
  return std::ranges::any_of(map.atoms, [&](const Atom &atom) {
    return std::ranges::any_of(atom.terms,
                               [&](const AffineTerm &term) { return ranges.shifted[term.loop]; });
  });
}

// Offsets do not matter: a start at a known distance from a multiple is as good as the multiple.
std::int64_t alignmentOf(std::int64_t step, std::int64_t divisor) {
  if (divisor == 1) return step;
  return step % divisor == 0 ? step / divisor : 1;
}

} // namespace

// A division or a boundary condition cuts tiles at places that depend on the size of the image.
// What is left of a tile of fixed length is Bounded; what is left of a vaguer tile is only Loose. A
// single point stays a single point. A division that is applied only to tiles which begin at
// multiples of the divisor changes nothing.
Extent extentOf(const IndexMap &map, const Ranges &ranges) {
  if (!map.offset.bounded()) return Extent::Whole;
  if (isAnywhere(map)) return map.fixed ? Extent::Constant : Extent::Whole;
  Extent extent = Extent::Constant;
  for (const Atom &atom : map.atoms)
    extent = std::max(extent, extentOf(atom, ranges));
  return extent;
}

Extent extentOf(const pipeline::OneLoopMap &map, const Ranges &ranges) {
  const std::uint32_t l = map.loop();
  if (map.isShift()) return ranges.extents[l];
  return extentAfter(ranges.extents[l], meetsStarts(ranges, l, map.coefficient(), map.divisor()),
                     map.clamp(), isPoint(map.offset()) && isPoint(ranges.loops[l]));
}

Extent cut(Extent extent) {
  if (extent == Extent::Whole || extent == Extent::Unknown) return extent;
  return extent <= Extent::Adrift ? Extent::Bounded : Extent::Loose;
}

bool isCut(const IndexMap &map) {
  return std::ranges::any_of(map.atoms, [](const Atom &atom) {
    return atom.clamp != pipeline::kEverything || atom.divisor != 1;
  });
}

bool movesAlike(const IndexMap &a, const IndexMap &b) {
  return std::ranges::equal(a.atoms, b.atoms, [](const auto &one, const auto &other) {
    return one.terms == other.terms && one.divisor == other.divisor && one.scale == other.scale;
  });
}

Reach reachOf(const IndexMap &map, const Ranges &ranges) {
  if (const pipeline::OneLoopMap oneLoop(map); oneLoop) return reachOf(oneLoop, ranges);
  const Interval reads = pipeline::evaluate(map, ranges.loops);
  const std::int64_t slack = reads.bounded() ? longest(map, ranges) - reads.extent() : 0;
  return {reads,
          extentOf(map, ranges),
          1,
          slack,
          speedOf(map, ranges),
          isShifted(map, ranges),
          isTurned(map, ranges),
          courseOf(map, ranges)};
}

// Computes in a single pass what the reachOf() above computes for any map. Most maps have only one
// loop, and a search evaluates many of them.
Reach reachOf(const pipeline::OneLoopMap &map, const Ranges &ranges) {
  const std::uint32_t l = map.loop();
  const Interval &loop = ranges.loops[l];
  Reach reach{map.evaluate(loop), ranges.extents[l], ranges.aligned[l], ranges.slack[l],
              ranges.speed[l],    ranges.shifted[l], ranges.turned[l],  ranges.courses[l]};
  if (map.isShift()) return reach;
  const std::int64_t coefficient = std::abs(map.coefficient()), divisor = map.divisor();
  const std::int64_t step = ranges.aligned[l] * coefficient;
  const bool divides = divisor == 1 || step % divisor == 0;
  reach.extent = extentOf(map, ranges);
  reach.course.multiply(map.coefficient());
  reach.course = courseAfter(reach.course, divisor, map.clamp(), map.scale(), isPoint(loop));
  reach.aligned = map.clamp() == pipeline::kEverything ? alignmentOf(step, divisor) : 1;
  reach.speed = static_cast<double>(map.scale() * map.coefficient()) * reach.speed /
                static_cast<double>(divisor);
  if (map.clamp() != pipeline::kEverything) reach.speed += kStopped;
  reach.turned =
      reach.turned || map.clamp() != pipeline::kEverything || map.scale() * map.coefficient() < 0;
  reach.slack = 0;
  if (!reach.reads.bounded()) return reach;
  std::int64_t steps = mostOf(map.clamp());
  if (loop.bounded()) {
    const std::int64_t more = pipeline::saturatingAdd(
        map.offset().max - map.offset().min,
        pipeline::saturatingMultiply(coefficient, loop.extent() - 1 + ranges.slack[l]));
    const bool isSteady = divides && map.coefficient() > 0 && !reach.shifted;
    steps = std::min(steps, divided(more, divisor, map.offset().min, isSteady));
  }
  reach.slack =
      pipeline::saturatingAdd(map.further().extent(),
                              pipeline::saturatingMultiply(std::abs(map.scale()), steps)) -
      reach.reads.extent();
  return reach;
}

bool isMoved(const IndexMap &map, std::span<const std::uint16_t> loops) {
  if (isAnywhere(map)) return true;
  for (const pipeline::Atom &atom : map.atoms)
    for (const pipeline::AffineTerm &term : atom.terms)
      if (std::ranges::find(loops, term.loop) != loops.end()) return true;
  return false;
}

bool isMoved(const std::vector<IndexMap> &maps, std::span<const std::uint16_t> loops) {
  return std::ranges::any_of(maps, [&](const IndexMap &map) { return isMoved(map, loops); });
}

} // namespace tessera::schedule
