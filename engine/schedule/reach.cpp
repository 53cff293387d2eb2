// SPDX-License-Identifier: MIT
#include "engine/schedule/reach.h"

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

// How far a map's atom goes at most while its loops run, wherever they begin.
std::int64_t steps(const Atom &atom, const Ranges &ranges) {
  const std::int64_t most =
      atom.clamp.bounded() ? atom.clamp.extent() - 1 : pipeline::kPlusInfinity;
  if (!atom.offset.bounded()) return most;
  std::int64_t steps = atom.offset.max - atom.offset.min;
  bool divides = true; // so that all begin at the same remainder
  for (const AffineTerm &term : atom.terms) {
    if (!ranges.loops[term.loop].bounded()) return most;
    const std::int64_t more = ranges.loops[term.loop].extent() - 1 + ranges.slack[term.loop];
    steps = pipeline::saturatingAdd(steps,
                                    pipeline::saturatingMultiply(std::abs(term.coefficient), more));
    divides = divides && term.coefficient > 0 &&
              ranges.aligned[term.loop] * term.coefficient % atom.divisor == 0;
  }
  const std::int64_t remainder =
      divides
          ? atom.offset.min - pipeline::floorDivide(atom.offset.min, atom.divisor) * atom.divisor
          : atom.divisor - 1;
  steps = pipeline::saturatingAdd(steps, remainder) / atom.divisor;
  return std::min(steps, most);
}

Extent extentOf(const Atom &atom, const Ranges &ranges) {
  Extent terms = Extent::Constant;
  bool point = atom.offset.extent() == 1, divides = true;
  for (const AffineTerm &term : atom.terms) {
    terms = std::max(terms, ranges.extents[term.loop]);
    point = point && ranges.loops[term.loop].extent() == 1;
    divides = divides && (atom.divisor == 1 ||
                          ranges.aligned[term.loop] * term.coefficient % atom.divisor == 0);
  }
  const bool limited = atom.clamp != pipeline::kEverything;
  const bool cuts = limited || (!divides && terms != Extent::Constant);
  if (!cuts) return terms;
  if (point && terms != Extent::Adrift && terms <= Extent::Guarded)
    return std::max(terms, Extent::Adrift);
  return cut(terms);
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
  for (const Atom &atom : map.atoms)
    for (const AffineTerm &term : atom.terms)
      speed += static_cast<double>(atom.scale * term.coefficient) * ranges.speed[term.loop] /
               static_cast<double>(atom.divisor);
  return speed;
}

// Offsets do not matter: a start that is known beside a multiple is as good.
std::int64_t alignmentOf(const IndexMap &map, const Ranges &ranges) {
  if (map.atoms.size() != 1 || map.precision == Precision::Whole) return 1;
  const Atom &atom = map.atoms.front();
  if (atom.terms.size() != 1 || atom.clamp != pipeline::kEverything) return 1;
  const AffineTerm &term = atom.terms.front();
  const std::int64_t step = ranges.aligned[term.loop] * std::abs(term.coefficient);
  if (atom.divisor == 1) return step;
  return step % atom.divisor == 0 ? step / atom.divisor : 1;
}

// The term of a map that only shifts one loop: most are such, and a search measures many.
const AffineTerm *shifted(const IndexMap &map) {
  if (map.atoms.size() != 1 || map.precision == Precision::Whole || !map.offset.bounded())
    return nullptr;
  const Atom &atom = map.atoms.front();
  const bool plain = atom.terms.size() == 1 && atom.scale == 1 && atom.divisor == 1 &&
                     atom.clamp == pipeline::kEverything && atom.offset.bounded();
  return plain && atom.terms.front().coefficient == 1 ? &atom.terms.front() : nullptr;
}

} // namespace

// A division or a boundary condition cuts tiles at places that depend on the size: what is left
// of a fixed length is bounded, of anything vaguer Halide knows nothing. A single point stays
// one, and a division that meets only starts of tiles leaves them as they are.
Extent extentOf(const IndexMap &map, const Ranges &ranges) {
  if (const AffineTerm *term = shifted(map)) return ranges.extents[term->loop];
  if (!map.offset.bounded() || map.precision == Precision::Whole) return Extent::Whole;
  Extent extent = Extent::Constant;
  for (const Atom &atom : map.atoms)
    extent = std::max(extent, extentOf(atom, ranges));
  return extent;
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
  if (const AffineTerm *term = shifted(map)) {
    const std::uint32_t l = term->loop;
    const Interval reads = plus(plus(ranges.loops[l], map.atoms.front().offset), map.offset);
    return {reads, ranges.extents[l], ranges.aligned[l], ranges.slack[l], ranges.speed[l]};
  }
  const Interval reads = pipeline::evaluate(map, ranges.loops);
  const std::int64_t slack = reads.bounded() ? longest(map, ranges) - reads.extent() : 0;
  return {reads, extentOf(map, ranges), alignmentOf(map, ranges), slack, speedOf(map, ranges)};
}

} // namespace tessera::schedule
