// SPDX-License-Identifier: MIT
#include "engine/halide/import/index_algebra.h"

#include "engine/pipeline/affine_terms.h"
#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace tessera::halide::algebra {

namespace {

using pipeline::AffineTerm;
using pipeline::Atom;
using pipeline::floorDivide;
using pipeline::IndexMap;
using pipeline::Interval;
using pipeline::kEverything;
using pipeline::plus;
using pipeline::Precision;
using pipeline::saturatingAdd;
using pipeline::times;

constexpr Interval kZero{0, 0};

bool isPoint(const Interval &i) { return i.min == i.max && i.bounded(); }
bool unclamped(const Atom &a) { return a.clamp == kEverything; }
bool plain(const Atom &a) { return a.divisor == 1 && unclamped(a); }

Atom *plainAtom(IndexMap &map) {
  const auto it = std::find_if(map.atoms.begin(), map.atoms.end(), plain);
  return it == map.atoms.end() ? nullptr : &*it;
}

std::vector<AffineTerm> addTerms(std::vector<AffineTerm> sum, const std::vector<AffineTerm> &more) {
  for (const AffineTerm &term : more)
    pipeline::addTerm(sum, term);
  return sum;
}

void scaleLinear(Atom &atom, std::int64_t factor) {
  for (AffineTerm &term : atom.terms)
    term.coefficient = pipeline::saturatingMultiply(term.coefficient, factor);
  std::ranges::sort(atom.terms, {}, pipeline::placeOf);
  atom.offset = times(atom.offset, factor);
}

// In an atom with divisor 1, multiplies the terms by the scale.
void absorbScale(Atom &atom) {
  if (atom.divisor != 1 || atom.scale == 1) return;
  scaleLinear(atom, atom.scale);
  atom.clamp = times(atom.clamp, atom.scale);
  atom.scale = 1;
}

// Cancels common factors of terms and divisor: ⌊(g·t + o)/(g·d)⌋ = ⌊(t + ⌊o/g⌋)/d⌋.
void reduceFraction(Atom &atom) {
  std::int64_t g = atom.divisor;
  for (const AffineTerm &term : atom.terms)
    g = std::gcd(g, term.coefficient);
  if (g <= 1) return;
  for (AffineTerm &term : atom.terms)
    term.coefficient /= g;
  atom.offset = floorDivide(atom.offset, g);
  atom.divisor /= g;
}

// Restores the invariant described in the header, which operations may break while they build
// atoms.
void normalise(IndexMap &map) {
  std::vector<Atom> atoms;
  Atom linear;
  Interval offset = map.offset;
  for (Atom &atom : map.atoms) {
    reduceFraction(atom);
    absorbScale(atom);
    if (atom.scale == 0) continue;
    if (atom.terms.empty()) { // the atom is constant
      const Interval value = pipeline::clamp(floorDivide(atom.offset, atom.divisor), atom.clamp);
      offset = plus(offset, times(value, atom.scale));
    } else if (plain(atom)) {
      linear.terms = addTerms(linear.terms, atom.terms);
      offset = plus(offset, atom.offset);
    } else {
      const auto same = std::find_if(atoms.begin(), atoms.end(), [&](const Atom &a) {
        return a.terms == atom.terms && a.offset == atom.offset && a.divisor == atom.divisor &&
               a.clamp == atom.clamp && isPoint(a.offset) && (a.scale < 0) == (atom.scale < 0);
      });
      if (same == atoms.end())
        atoms.push_back(atom);
      else
        same->scale += atom.scale;
    }
  }
  map.offset = offset;
  if (!offset.bounded() && !(atoms.empty() && linear.terms.empty())) {
    // An unknown summand makes the whole sum unknown. Returning early keeps infinities out of the
    // arithmetic.
    map.atoms.clear();
    map.offset = kEverything;
    degrade(map, Precision::Whole, "unbounded");
    return;
  }
  if (!linear.terms.empty()) {
    linear.offset = std::exchange(map.offset, kZero);
    atoms.insert(atoms.begin(), linear);
  }
  map.atoms = std::move(atoms);
}

// The map's only atom, or null. An operation can be moved into an atom only if the map has no
// other.
Atom *onlyAtom(IndexMap &map) { return map.atoms.size() == 1 ? &map.atoms.front() : nullptr; }

IndexMap wholeFrom(const IndexMap &a, Interval range, const char *reason) {
  IndexMap result = interval(range, Precision::Whole, reason);
  if (a.precision == Precision::Whole) result.reason = a.reason;
  return result;
}

// ⌊(clamp(⌊t/d⌋) + k) / c⌋ for an atom of scale 1: divisions combine and the clamp moves outwards.
IndexMap divideAtom(Atom atom, Interval k, std::int64_t c) {
  IndexMap result;
  if (unclamped(atom)) {
    atom.offset = plus(atom.offset, times(k, atom.divisor));
  } else {
    if (!isPoint(k)) {
      // Only one constant can move through the clamp; the spread of the interval is rounded up
      // separately.
      result.offset = {0, floorDivide(saturatingAdd(saturatingAdd(k.max, -k.min), c - 1), c)};
      degrade(result, Precision::Covers, "rounding");
    }
    atom.offset = plus(atom.offset, times(Interval{k.min, k.min}, atom.divisor));
    atom.clamp = floorDivide(plus(atom.clamp, Interval{k.min, k.min}), c);
  }
  atom.divisor *= c;
  result.atoms.push_back(std::move(atom));
  normalise(result);
  return result;
}

// ⌊(s·⌊t/d⌋ + k)/c⌋ where c does not divide s: s·⌊t/d⌋ lies within (s·t + [-s(d-1), 0])/d.
IndexMap divideScaled(Atom atom, Interval k, std::int64_t c) {
  const std::int64_t s = std::exchange(atom.scale, 1);
  const Interval clamp = std::exchange(atom.clamp, kEverything);
  const std::int64_t d = atom.divisor;
  scaleLinear(atom, s);
  const std::int64_t slack = s * (d - 1);
  atom.offset = plus(
      atom.offset, Interval{std::min<std::int64_t>(-slack, 0), std::max<std::int64_t>(-slack, 0)});
  atom.offset = plus(atom.offset, times(k, d));
  atom.divisor = d * c;
  if (clamp != kEverything) {
    // The offset has become an interval, so a clamp of the atom would have to be wider by
    // the width of that interval. Instead the map becomes the range of all clamped values.
    const Interval wide = floorDivide(plus(times(clamp, s), k), c);
    IndexMap whole = interval(wide, Precision::Whole, "clamp of a scaled index");
    return whole;
  }
  IndexMap result;
  result.atoms.push_back(std::move(atom));
  normalise(result);
  degrade(result, Precision::Covers, "rounding");
  return result;
}

// ⌊v/d⌋ + p = ⌊(v + d·p)/d⌋: merges a plain atom into the only fraction beside it, so that a clamp
// or a division of the sum finds a single atom.
void mergePlain(IndexMap &map) {
  if (map.atoms.size() != 2 || !plain(map.atoms[0])) return;
  Atom &fraction = map.atoms[1];
  if (!unclamped(fraction) || (fraction.scale != 1 && fraction.scale != -1)) return;
  Atom linear = map.atoms[0];
  scaleLinear(linear, fraction.scale * fraction.divisor);
  fraction.terms = addTerms(fraction.terms, linear.terms);
  fraction.offset = plus(fraction.offset, linear.offset);
  map.atoms.erase(map.atoms.begin());
  normalise(map);
}

} // namespace

void degrade(IndexMap &map, Precision precision, const std::string &reason) {
  if (precision <= map.precision) return;
  map.precision = precision;
  map.reason = reason;
}

IndexMap constant(std::int64_t value) {
  IndexMap map;
  map.offset = {value, value};
  return map;
}

IndexMap interval(Interval range, Precision precision, std::string reason) {
  IndexMap map;
  map.offset = range;
  map.precision = precision;
  map.reason = std::move(reason);
  return map;
}

IndexMap loop(std::uint32_t index) {
  IndexMap map;
  map.atoms.push_back(Atom{1, {AffineTerm{index, 1}}, kZero, 1, kEverything});
  return map;
}

IndexMap add(const IndexMap &a, const IndexMap &b) {
  IndexMap sum = a;
  sum.atoms.insert(sum.atoms.end(), b.atoms.begin(), b.atoms.end());
  sum.offset = plus(sum.offset, b.offset);
  degrade(sum, b.precision, b.reason);
  normalise(sum);
  return sum;
}

IndexMap negate(IndexMap a) { return multiply(std::move(a), -1); }

IndexMap multiply(IndexMap a, std::int64_t factor) {
  if (factor == 0) return constant(0);
  for (Atom &atom : a.atoms)
    atom.scale = pipeline::saturatingMultiply(atom.scale, factor);
  a.offset = times(a.offset, factor);
  normalise(a);
  return a;
}

IndexMap divide(const IndexMap &sum, std::int64_t c) {
  if (c == 1) return sum;
  IndexMap a = sum;
  mergePlain(a);
  IndexMap whole;         // atoms whose scale c divides leave the fraction
  std::vector<Atom> rest; // atoms that stay in the fraction
  for (Atom atom : a.atoms) {
    if (!plain(atom) && atom.scale % c == 0) {
      atom.scale /= c;
      whole.atoms.push_back(std::move(atom));
    } else {
      rest.push_back(std::move(atom));
    }
  }
  Interval k = a.offset;
  const bool rounded = rest.size() > 1;
  IndexMap result = whole;
  for (Atom &atom : rest) {
    // Several atoms are divided one by one, and only the first takes the constant `k`. The sum of
    // the results may be one too small per additional atom: ⌊(p+q)/c⌋ is ⌊p/c⌋ + ⌊q/c⌋ or one more.
    if (&atom != &rest.front()) k = Interval{0, 0};
    IndexMap part;
    if (atom.scale == 1) {
      part = divideAtom(atom, k, c);
    } else if (atom.scale == -1) {
      // ⌊-p/c⌋ = -⌊(p + c - 1)/c⌋
      Atom positive = atom;
      positive.scale = 1;
      part = negate(divideAtom(positive, plus(times(k, -1), Interval{c - 1, c - 1}), c));
    } else {
      part = divideScaled(atom, k, c);
    }
    result = add(result, part);
  }
  if (rest.empty()) result.offset = plus(result.offset, floorDivide(k, c));
  if (rounded) {
    result.offset = plus(result.offset, Interval{0, static_cast<std::int64_t>(rest.size()) - 1});
    degrade(result, Precision::Covers, "rounding");
  }
  degrade(result, a.precision, a.reason);
  normalise(result);
  return result;
}

IndexMap modulo(const IndexMap &a, std::int64_t m, Interval known) {
  if (known.bounded() && floorDivide(known.min, m) == floorDivide(known.max, m))
    return add(a, constant(-floorDivide(known.min, m) * m));
  IndexMap result = interval({0, m - 1}, Precision::Covers, "modulo");
  if (a.precision == Precision::Whole) degrade(result, a.precision, a.reason);
  return result;
}

namespace {

enum class Side { Upper, Lower };

// Clamps the map's only atom, whose scale is 1 or -1 (Side::Upper: min(·, limit)). Scale -1 swaps
// the sides.
IndexMap clampAtom(IndexMap a, std::int64_t limit, Side side) {
  Atom &atom = a.atoms.front();
  // A plain atom takes the constants into itself, so that its clamp is exact for a stencil.
  const Interval k = std::exchange(a.offset, kZero);
  if (plain(atom)) {
    atom.offset = plus(atom.offset, k);
    a.offset = kZero;
  } else {
    a.offset = k;
    if (!isPoint(k)) degrade(a, Precision::Covers, "clamp of an interval");
    limit = saturatingAdd(limit, side == Side::Upper ? -k.min : -k.max);
  }
  const bool flipped = atom.scale < 0;
  if (flipped) limit = -limit;
  if ((side == Side::Upper) != flipped) {
    atom.clamp.min = std::min(atom.clamp.min, limit);
    atom.clamp.max = std::min(atom.clamp.max, limit);
  } else {
    atom.clamp.min = std::max(atom.clamp.min, limit);
    atom.clamp.max = std::max(atom.clamp.max, limit);
  }
  normalise(a);
  return a;
}

// Whether the atom is a step on the same fraction as `main`: 0 below some value and 1 from there
// on.
bool isStepOf(const Atom &atom, const Atom &main) {
  return atom.clamp == Interval{0, 1} && atom.scale > 0 && atom.divisor == main.divisor &&
         atom.terms == main.terms;
}

// min(s·A + k, L) for L = `value` and s > 1, where L may lie between two values of s·A + k: A is
// clamped to the last value that keeps s·A + k <= L, and beyond that value a step function adds the
// difference to L. Side::Lower does the same for max(), from the other side. `k` is the constant
// that applies where the limit acts.
IndexMap limitScaled(IndexMap a, std::int64_t k, std::int64_t value, Side side) {
  Atom &main = a.atoms.front();
  const std::int64_t s = main.scale, d = main.divisor;
  const std::int64_t below = floorDivide(value - k, s); // the last A with s·A + k <= value
  const std::int64_t rest = value - k - s * below;
  Atom step = main;
  step.clamp = {0, 1};
  if (side == Side::Upper) {
    main.clamp = pipeline::clamp(main.clamp, {pipeline::kMinusInfinity, below});
    step.offset =
        plus(step.offset, Interval{-below * d, -below * d}); // the step is 1 where A > below
    step.scale = rest;
  } else {
    const std::int64_t above = rest == 0 ? below : below + 1;
    const std::int64_t missing = s * above + k - value;
    main.clamp = pipeline::clamp(main.clamp, {above, pipeline::kPlusInfinity});
    // The step is 1 where A >= above.
    step.offset = plus(step.offset, Interval{(1 - above) * d, (1 - above) * d});
    step.scale = missing;
    a.offset = plus(a.offset, Interval{-missing, -missing});
  }
  if (step.scale != 0) a.atoms.push_back(step);
  normalise(a);
  return a;
}

// Returns the argument `k` of limitScaled(); nullopt if that function cannot handle this limit. The
// map has a second atom, a step, if an earlier limit on the other side has added one.
std::optional<std::int64_t> scaledConstant(const IndexMap &a, std::int64_t value, Side side) {
  if (a.atoms.empty() || a.atoms.size() > 2 || !isPoint(a.offset)) return std::nullopt;
  const Atom &main = a.atoms.front();
  if (main.scale <= 1 || !isPoint(main.offset) || main.clamp.empty()) return std::nullopt;
  const std::int64_t offset = a.offset.min;
  if (a.atoms.size() == 1) {
    // An existing clamp on this side would have to move, so the side must not be clamped yet.
    const bool isFree = side == Side::Upper ? main.clamp.max == pipeline::kPlusInfinity
                                            : main.clamp.min == pipeline::kMinusInfinity;
    const std::int64_t other = side == Side::Upper ? main.clamp.min : main.clamp.max;
    const bool crosses =
        !pipeline::isInfinite(other) && (side == Side::Upper ? main.scale * other + offset > value
                                                             : main.scale * other + offset < value);
    return isFree && !crosses ? std::optional<std::int64_t>(offset) : std::nullopt;
  }
  const Atom &step = a.atoms[1];
  if (!isStepOf(step, main)) return std::nullopt;
  if (side == Side::Lower && main.clamp.min == pipeline::kMinusInfinity &&
      main.clamp.max != pipeline::kPlusInfinity && main.scale * main.clamp.max + offset >= value)
    return offset; // the step is 0 where this limit acts
  const std::int64_t on = offset + step.scale;
  if (side == Side::Upper && main.clamp.max == pipeline::kPlusInfinity &&
      main.clamp.min != pipeline::kMinusInfinity && main.scale * main.clamp.min + on <= value)
    return on; // the step is 1 where this limit acts
  return std::nullopt;
}

// The values that the clamps of the atoms allow, whatever the loops are.
Interval allowedBy(const IndexMap &map) {
  Interval range = map.offset;
  for (const Atom &atom : map.atoms)
    range = plus(range, times(atom.clamp, atom.scale));
  return range;
}

IndexMap limit(const IndexMap &a, std::int64_t value, Side side) {
  const Interval allowed = allowedBy(a);
  if (side == Side::Upper ? allowed.max <= value : allowed.min >= value) return a;
  const Interval range = side == Side::Upper ? Interval{pipeline::kMinusInfinity, value}
                                             : Interval{value, pipeline::kPlusInfinity};
  IndexMap map = a;
  if (a.atoms.empty()) {
    map.offset = pipeline::clamp(a.offset, range);
    return map;
  }
  mergePlain(map);
  const Atom *atom = onlyAtom(map);
  if (atom && (atom->scale == 1 || atom->scale == -1))
    return clampAtom(std::move(map), value, side);
  if (map.atoms.front().scale < 0)
    return negate(
        limit(negate(std::move(map)), -value, side == Side::Upper ? Side::Lower : Side::Upper));
  if (const auto k = scaledConstant(map, value, side))
    return limitScaled(std::move(map), *k, value, side);
  return wholeFrom(a, range, "clamp of a sum");
}

} // namespace

IndexMap atMost(const IndexMap &a, std::int64_t value) { return limit(a, value, Side::Upper); }
IndexMap atLeast(const IndexMap &a, std::int64_t value) { return limit(a, value, Side::Lower); }

Interval constantPart(const IndexMap &a) {
  IndexMap copy = a;
  const Atom *atom = plainAtom(copy);
  return atom ? atom->offset : a.offset;
}

IndexMap withConstantPart(IndexMap a, Interval value) {
  if (Atom *atom = plainAtom(a))
    atom->offset = value;
  else
    a.offset = value;
  return a;
}

bool sameShape(const IndexMap &a, const IndexMap &b) {
  return withConstantPart(a, kZero).atoms == withConstantPart(b, kZero).atoms;
}

} // namespace tessera::halide::algebra
