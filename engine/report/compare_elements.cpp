// SPDX-License-Identifier: MIT
#include "engine/report/compare_elements.h"

#include "engine/pipeline/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <string>

namespace tessera::report {

namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;

bool isFloat(ScalarType type) {
  return type.kind == TypeKind::Float || type.kind == TypeKind::BFloat;
}

// Of a float, the fewest digits that read back as the same value: "0.01", not "0.00999999978".
std::string printed(double value, ScalarType type) {
  std::array<char, 400> text;
  char *const begin = text.data(), *const limit = begin + text.size();
  const auto end = !isFloat(type) ? std::to_chars(begin, limit, value, std::chars_format::fixed, 0)
                   : type.bits <= 32 ? std::to_chars(begin, limit, static_cast<float>(value))
                                     : std::to_chars(begin, limit, value);
  return {begin, end.ptr};
}

double errorOf(double expected, double found, ComparisonRule rule, double floor) {
  if (std::isnan(expected) && std::isnan(found)) return 0;
  if (expected == found) return 0; // includes equal infinities
  const double error = std::abs(expected - found);
  if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
  return rule == ComparisonRule::Relative ? error / std::max(std::abs(expected), floor) : error;
}

std::vector<std::int64_t> coordinatesOf(std::uint64_t number, const ElementLayout &layout) {
  std::vector<std::int64_t> at;
  auto rest = static_cast<std::int64_t>(number);
  for (const ElementLayout::Side &side : layout.sides) {
    at.push_back(side.min + rest % side.extent);
    rest /= side.extent;
  }
  return at;
}

struct Difference {
  std::uint64_t number; // index of the element
  double expected, found;
  double error;
};

// How many values are decoded at once: few enough to stay in the cache.
constexpr std::size_t kChunk = 256;
using Chunk = std::array<double, kChunk>;

// Calls `visit(begin, count)` for each chunk of a run.
template <typename Visit>
void forEachChunk(const ElementRun &run, const Visit &visit) {
  for (std::uint64_t begin = 0; begin < run.count; begin += kChunk)
    visit(begin, static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, run.count - begin)));
}

// The least value by which an error is divided: a tenth of the largest expected magnitude. Without
// it, errors of values near 0 would be huge.
double floorOf(const std::uint8_t *expected, const ElementLayout &layout, ComparisonRule rule) {
  if (rule != ComparisonRule::Relative) return 0;
  const auto size = static_cast<std::size_t>(layout.type.bytes());
  double largest = 0;
  for (const double ofPart : byRuns<double>(layout, [&](double &magnitude, const ElementRun &run) {
         forEachChunk(run, [&](std::uint64_t begin, std::size_t count) {
           Chunk numbers;
           pipeline::numbersAt(expected + run.offset + begin * size, layout.type, count,
                               numbers.data());
           for (std::size_t i = 0; i < count; ++i) {
             const double value = std::abs(numbers[i]);
             if (std::isfinite(value)) magnitude = std::max(magnitude, value);
           }
         });
       }))
    largest = std::max(largest, ofPart);
  return std::max(largest / 10, std::numeric_limits<double>::min());
}

// Calls `visit(made, difference)` for each element whose values differ, where NaN equals any other
// NaN and 0 equals -0. Ranges of elements run in parallel; each collects its result in its own
// `made`. Returns these results in the order of the ranges.
template <typename Made, typename Visit>
std::vector<Made> differences(const std::uint8_t *expected, const std::uint8_t *found,
                              const ElementLayout &layout, ComparisonRule rule,
                              const Visit &visit) {
  const ScalarType type = layout.type;
  const auto size = static_cast<std::size_t>(type.bytes());
  const double floor = floorOf(expected, layout, rule);
  // 64-bit integers that differ may be equal as doubles, so their error counts as at least 1.
  const double least = isFloat(type) ? 0 : 1;
  return byRuns<Made>(layout, [&](Made &made, const ElementRun &run) {
    forEachChunk(run, [&](std::uint64_t begin, std::size_t count) {
      const std::uint8_t *a = expected + run.offset + begin * size;
      const std::uint8_t *b = found + run.offset + begin * size;
      if (std::memcmp(a, b, count * size) == 0) return;
      Chunk wanted, had;
      pipeline::numbersAt(a, type, count, wanted.data());
      pipeline::numbersAt(b, type, count, had.data());
      for (std::size_t i = 0; i < count; ++i) {
        const double want = wanted[i], have = had[i];
        if (want == have && (isFloat(type) || std::memcmp(a + i * size, b + i * size, size) == 0))
          continue;
        const double error = errorOf(want, have, rule, floor);
        if (error == 0 && isFloat(type)) continue; // both values are NaN, which counts as equal
        visit(made, Difference{run.number + begin + i, want, have, std::max(error, least)});
      }
    });
  });
}

// Adds the elements whose error is more than `most`.
void addBeyond(const std::uint8_t *expected, const std::uint8_t *found, const ElementLayout &layout,
               const ElementRule &rule, double most, Elements &beyond) {
  Elements more, all;
  for (const Elements &part :
       differences<Elements>(expected, found, layout, rule.rule,
                             [&](Elements &numbers, const Difference &difference) {
                               if (difference.error > most) numbers.push_back(difference.number);
                             }))
    more.insert(more.end(), part.begin(), part.end());
  std::ranges::set_union(beyond, more, std::back_inserter(all));
  beyond = std::move(all);
}

bool isRoundings(const Difference &difference, double tolerance, const RoundedElements &rounded) {
  const auto isIn = [&](const Elements &elements) {
    return std::ranges::binary_search(elements, difference.number);
  };
  return isIn(rounded.undecided) || (difference.error <= 2 * tolerance && isIn(rounded.magnified));
}

// The counts of one of the ranges of elements that run in parallel.
struct Counts {
  std::int64_t different = 0, undecided = 0, beyond = 0;
  std::optional<Difference> worst; // the first with the largest error
};

} // namespace

ComparisonRule ruleFor(ScalarType type, bool floatsUpstream) {
  if (isFloat(type)) return ComparisonRule::Relative;
  return floatsUpstream ? ComparisonRule::WithinOne : ComparisonRule::Exact;
}

double toleranceFor(ScalarType type, ComparisonRule rule) {
  if (rule != ComparisonRule::Relative) return rule == ComparisonRule::WithinOne ? 1 : 0;
  if (type.kind == TypeKind::BFloat) return 0.05;
  if (type.bits == 16) return 0.01;
  return type.bits == 32 ? 1e-4 : 1e-12;
}

ElementRule elementRuleFor(ScalarType type, ComparisonRule rule) {
  return {rule, toleranceFor(type, rule)};
}

OutputComparison compareElements(const std::uint8_t *expected, const std::uint8_t *found,
                                 const ElementLayout &layout, const ElementRule &rule,
                                 const RoundedElements &rounded) {
  OutputComparison result;
  result.rule = rule.rule;
  result.tolerance = rule.tolerance;
  result.elements = layout.count();
  for (const ElementLayout::Side &side : layout.sides)
    result.begin.push_back(side.min);
  const auto parts = differences<Counts>(
      expected, found, layout, rule.rule, [&](Counts &counts, const Difference &difference) {
        ++counts.different;
        const bool isBeyond = difference.error > rule.tolerance;
        if (isBeyond && isRoundings(difference, rule.tolerance, rounded)) {
          ++counts.undecided;
          return;
        }
        counts.beyond += isBeyond;
        if (!counts.worst || difference.error > counts.worst->error) counts.worst = difference;
      });
  for (const Counts &counts : parts) {
    result.different += counts.different;
    result.undecided += counts.undecided;
    result.beyond += counts.beyond;
    if (!counts.worst) continue;
    if (counts.worst->error <= result.worstError && !result.worstAt.empty()) continue;
    result.worstError = counts.worst->error;
    result.worstAt = coordinatesOf(counts.worst->number, layout);
    result.expected = printed(counts.worst->expected, layout.type);
    result.found = printed(counts.worst->found, layout.type);
  }
  // A few large errors do not make a schedule wrong. Integers are off by more than one where a
  // float fell on the other side of a threshold. Floats are off by more than the tolerance where a
  // formula magnifies its roundings, such as a division by a small determinant; floats that are
  // really wrong are further off.
  const bool isMagnified =
      rule.rule == ComparisonRule::Relative && result.worstError <= kMagnified * rule.tolerance;
  if (rule.rule == ComparisonRule::WithinOne || isMagnified)
    result.allowedBeyond = result.elements / 100'000;
  return result;
}

std::vector<float> errorsOf(const std::uint8_t *expected, const std::uint8_t *found,
                            const ElementLayout &layout, const ElementRule &rule) {
  std::vector<float> errors(static_cast<std::size_t>(layout.count()));
  const double unit = rule.rule == ComparisonRule::Relative ? rule.tolerance : 1;
  const double beyond =
      rule.rule == ComparisonRule::Exact ? 1 : 0; // added, so that any error is > 1
  differences<char>(expected, found, layout, rule.rule, [&](char &, const Difference &difference) {
    errors[difference.number] = static_cast<float>(difference.error / unit + beyond);
  });
  return errors;
}

void RoundedElements::add(const std::uint8_t *expected, const std::uint8_t *found,
                          const ElementLayout &layout, const ElementRule &rule) {
  addBeyond(expected, found, layout, rule, rule.tolerance, undecided);
  addBeyond(expected, found, layout, rule, rule.tolerance / 2, magnified);
}

} // namespace tessera::report
