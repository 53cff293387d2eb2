// SPDX-License-Identifier: MIT
#include "engine/bench/device/compare_elements.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>

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

// Elements that differ in any bit, but for NaN and another NaN, 0 and -0.
void forEachDifference(std::span<const std::uint8_t> expected, std::span<const std::uint8_t> found,
                       ScalarType type, ComparisonRule rule,
                       const std::function<void(const Difference &)> &visit) {
  const auto size = static_cast<std::size_t>(type.bytes());
  const std::size_t count = expected.size() / size;
  double magnitude = 0;
  for (std::size_t i = 0; i < count && rule == ComparisonRule::Relative; ++i) {
    const double value = std::abs(valueAt(&expected[i * size], type));
    if (std::isfinite(value)) magnitude = std::max(magnitude, value);
  }
  const double floor = std::max(magnitude / 10, std::numeric_limits<double>::min());
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t *a = &expected[i * size], *b = &found[i * size];
    if (std::memcmp(a, b, size) == 0) continue;
    const double want = valueAt(a, type), have = valueAt(b, type);
    const double error = errorOf(want, have, rule, floor);
    if (error == 0 && isFloat(type)) continue;
    // Integers of 64 bits can differ where their doubles do not.
    visit({i, want, have, std::max(error, isFloat(type) ? 0.0 : 1.0)});
  }
}

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
  forEachDifference(expected, found, type, rule, [&](const Difference &difference) {
    ++result.different;
    const bool isBeyond = difference.error > result.tolerance;
    if (isBeyond && std::ranges::binary_search(undecided, difference.number)) {
      ++result.undecided;
      return;
    }
    if (isBeyond) ++result.beyond;
    if (difference.error <= result.worstError && !result.worstAt.empty()) return;
    result.worstError = difference.error;
    result.worstAt = coordinatesOf(difference.number, region);
    result.expected = printed(difference.expected, type);
    result.found = printed(difference.found, type);
  });
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
  forEachDifference(expected, found, type, rule, [&](const Difference &difference) {
    if (difference.error > tolerance) beyond.push_back(difference.number);
  });
  return beyond;
}

} // namespace tessera::bench
