// SPDX-License-Identifier: MIT
#include "engine/bench/device/compare_elements.h"

#include "engine/bench/device/parts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>

namespace tessera::bench {

namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;
using schedule::ComparisonRule;
using schedule::OutputComparison;

bool isFloat(ScalarType type) {
  return type.kind == TypeKind::Float || type.kind == TypeKind::BFloat;
}

template <typename T>
T get(const std::uint8_t *address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

double fromBfloat(std::uint16_t bits) {
  const std::uint32_t word = std::uint32_t{bits} << 16;
  return static_cast<double>(get<float>(reinterpret_cast<const std::uint8_t *>(&word)));
}

double fromHalf(std::uint16_t bits) {
  const double sign = bits & 0x8000 ? -1 : 1;
  const int exponent = bits >> 10 & 0x1f;
  const int fraction = bits & 0x3ff;
  if (exponent == 0x1f)
    return fraction ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 0x400, exponent - 25);
}

double valueAt(const std::uint8_t *address, ScalarType type) {
  const bool isSigned = type.kind == TypeKind::Int;
  switch (type.bytes()) {
  case 1:
    return isSigned ? get<std::int8_t>(address) : get<std::uint8_t>(address);
  case 2:
    if (type.kind == TypeKind::BFloat) return fromBfloat(get<std::uint16_t>(address));
    if (type.kind == TypeKind::Float) return fromHalf(get<std::uint16_t>(address));
    return isSigned ? get<std::int16_t>(address) : get<std::uint16_t>(address);
  case 4:
    if (type.kind == TypeKind::Float) return static_cast<double>(get<float>(address));
    return isSigned ? get<std::int32_t>(address) : get<std::uint32_t>(address);
  default:
    if (type.kind == TypeKind::Float) return get<double>(address);
    return isSigned ? static_cast<double>(get<std::int64_t>(address))
                    : static_cast<double>(get<std::uint64_t>(address));
  }
}

std::string printed(double value, ScalarType type) {
  char text[40];
  std::snprintf(text, sizeof text, isFloat(type) ? "%.9g" : "%.0f", value);
  return text;
}

double errorOf(double expected, double found, ComparisonRule rule, double floor) {
  if (std::isnan(expected) && std::isnan(found)) return 0;
  if (expected == found) return 0; // also equal infinities
  const double error = std::abs(expected - found);
  if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
  return rule == ComparisonRule::Relative ? error / std::max(std::abs(expected), floor) : error;
}

std::vector<std::int64_t> coordinatesOf(std::size_t number, const pipeline::Box &region) {
  std::vector<std::int64_t> at;
  auto rest = static_cast<std::int64_t>(number);
  for (const pipeline::Interval &side : region) {
    at.push_back(side.min + rest % side.extent());
    rest /= side.extent();
  }
  return at;
}

struct Difference {
  std::uint64_t number; // of the element
  double expected, found;
  double error;
};

// Errors are relative to no less than a tenth of the largest expected value.
double floorOf(std::span<const std::uint8_t> expected, ScalarType type, ComparisonRule rule) {
  if (rule != ComparisonRule::Relative) return 0;
  const auto size = static_cast<std::size_t>(type.bytes());
  const auto largest = inParts(expected.size() / size, [&](std::uint64_t begin, std::uint64_t end) {
    double magnitude = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      const double value = std::abs(valueAt(&expected[i * size], type));
      if (std::isfinite(value)) magnitude = std::max(magnitude, value);
    }
    return magnitude;
  });
  return std::max(std::ranges::max(largest) / 10, std::numeric_limits<double>::min());
}

// Elements that differ in any bit, but for NaN and another NaN, 0 and -0; what is made of them by
// parts, in their order.
template <typename Made, typename Visit> // Made &, const Difference &
std::vector<Made> forEachDifference(std::span<const std::uint8_t> expected,
                                    std::span<const std::uint8_t> found, ScalarType type,
                                    ComparisonRule rule, const Visit &visit) {
  const auto size = static_cast<std::size_t>(type.bytes());
  const double floor = floorOf(expected, type, rule);
  return inParts(expected.size() / size, [&](std::uint64_t begin, std::uint64_t end) {
    Made made{};
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint8_t *a = &expected[i * size], *b = &found[i * size];
      if (std::memcmp(a, b, size) == 0) continue;
      const double want = valueAt(a, type), have = valueAt(b, type);
      const double error = errorOf(want, have, rule, floor);
      if (error == 0 && isFloat(type)) continue;
      // Integers of 64 bits can differ where their doubles do not.
      visit(made, Difference{i, want, have, std::max(error, isFloat(type) ? 0.0 : 1.0)});
    }
    return made;
  });
}

// What is counted of a part.
struct Counts {
  std::int64_t different = 0, undecided = 0, beyond = 0;
  std::optional<Difference> worst; // the first of those
};

} // namespace

ComparisonRule ruleFor(ScalarType type, bool floatsDecideIntegers) {
  if (isFloat(type)) return ComparisonRule::Relative;
  return floatsDecideIntegers ? ComparisonRule::WithinOne : ComparisonRule::Exact;
}

double toleranceFor(ScalarType type, ComparisonRule rule) {
  if (rule != ComparisonRule::Relative) return rule == ComparisonRule::WithinOne ? 1 : 0;
  if (type.kind == TypeKind::BFloat) return 0.05;
  if (type.bits == 16) return 0.01;
  return type.bits == 32 ? 1e-4 : 1e-12;
}

OutputComparison compareElements(std::span<const std::uint8_t> expected,
                                 std::span<const std::uint8_t> found, ScalarType type,
                                 const pipeline::Box &region, ComparisonRule rule,
                                 const Elements &undecided) {
  OutputComparison result;
  result.rule = rule;
  result.tolerance = toleranceFor(type, rule);
  result.elements = static_cast<std::int64_t>(expected.size()) / type.bytes();
  const auto parts = forEachDifference<Counts>(
      expected, found, type, rule, [&](Counts &counts, const Difference &difference) {
        ++counts.different;
        const bool isBeyond = difference.error > result.tolerance;
        if (isBeyond && std::ranges::binary_search(undecided, difference.number)) {
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
    result.worstAt = coordinatesOf(counts.worst->number, region);
    result.expected = printed(counts.worst->expected, type);
    result.found = printed(counts.worst->found, type);
  }
  const bool magnified = rule == ComparisonRule::Relative &&
                         result.worstError <= schedule::kMagnified * result.tolerance;
  if (rule == ComparisonRule::WithinOne || magnified)
    result.allowedBeyond = result.elements / 100'000;
  return result;
}

Elements elementsBeyond(std::span<const std::uint8_t> expected, std::span<const std::uint8_t> found,
                        ScalarType type, ComparisonRule rule) {
  Elements beyond;
  const double tolerance = toleranceFor(type, rule);
  for (const Elements &part : forEachDifference<Elements>(
           expected, found, type, rule, [&](Elements &elements, const Difference &difference) {
             if (difference.error > tolerance) elements.push_back(difference.number);
           }))
    beyond.insert(beyond.end(), part.begin(), part.end());
  return beyond;
}

} // namespace tessera::bench
