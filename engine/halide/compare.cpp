// SPDX-License-Identifier: MIT
#include "engine/halide/compare.h"

#include "engine/halide/owned_buffer.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>

namespace tessera::halide {

namespace {

using schedule::ComparisonRule;
using schedule::OutputComparison;

template <typename T>
T get(const std::uint8_t *address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

template <typename Signed, typename Unsigned>
double integerAt(const std::uint8_t *address, bool isSigned) {
  return isSigned ? static_cast<double>(get<Signed>(address))
                  : static_cast<double>(get<Unsigned>(address));
}

double valueAt(const std::uint8_t *address, const Halide::Type &type) {
  const bool isSigned = type.is_int();
  switch (type.bytes()) {
  case 1:
    return integerAt<std::int8_t, std::uint8_t>(address, isSigned);
  case 2:
    if (type.is_bfloat()) return static_cast<double>(get<Halide::bfloat16_t>(address));
    if (type.is_float()) return static_cast<double>(get<Halide::float16_t>(address));
    return integerAt<std::int16_t, std::uint16_t>(address, isSigned);
  case 4:
    if (type.is_float()) return static_cast<double>(get<float>(address));
    return integerAt<std::int32_t, std::uint32_t>(address, isSigned);
  default:
    if (type.is_float()) return get<double>(address);
    return integerAt<std::int64_t, std::uint64_t>(address, isSigned);
  }
}

std::string printed(double value, const Halide::Type &type) {
  char text[40];
  std::snprintf(text, sizeof text, type.is_float() ? "%.9g" : "%.0f", value);
  return text;
}

double magnitudeOf(const Halide::Buffer<> &buffer) {
  double largest = 0;
  forEachElement(buffer, [&](const std::uint8_t *address, std::uint64_t) {
    const double value = std::abs(valueAt(address, buffer.type()));
    if (std::isfinite(value)) largest = std::max(largest, value);
  });
  return largest;
}

double errorOf(double expected, double found, ComparisonRule rule, double floor) {
  if (std::isnan(expected) && std::isnan(found)) return 0;
  if (expected == found) return 0; // also equal infinities
  const double error = std::abs(expected - found);
  if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
  if (rule != ComparisonRule::Relative) return error;
  return error / std::max(std::abs(expected), floor);
}

struct Difference {
  std::uint64_t number; // of the element
  double expected, found;
  double error;
};

// Elements that differ in any bit, but for NaN and another NaN, 0 and -0.
void forEachDifference(const Halide::Buffer<> &expected, const Halide::Buffer<> &found,
                       ComparisonRule rule, const std::function<void(const Difference &)> &visit) {
  const Halide::Type type = expected.type();
  const double magnitude = rule == ComparisonRule::Relative ? magnitudeOf(expected) : 0;
  const double floor = std::max(magnitude / 10, std::numeric_limits<double>::min());
  const auto *expectedBase = static_cast<const std::uint8_t *>(expected.data());
  const auto *foundBase = static_cast<const std::uint8_t *>(found.data());
  forEachElement(expected, [&](const std::uint8_t *address, std::uint64_t number) {
    const std::uint8_t *other = foundBase + (address - expectedBase);
    if (std::memcmp(address, other, static_cast<std::size_t>(type.bytes())) == 0) return;
    const double want = valueAt(address, type), have = valueAt(other, type);
    const double error = errorOf(want, have, rule, floor);
    if (error == 0 && type.is_float()) return;
    // Integers of 64 bits can differ where their doubles do not.
    visit({number, want, have, std::max(error, type.is_float() ? 0.0 : 1.0)});
  });
}

std::vector<std::int64_t> coordinatesOf(const Halide::Buffer<> &buffer, std::uint64_t number) {
  std::vector<std::int64_t> at;
  for (int d = 0; d < buffer.dimensions(); ++d) {
    const auto extent = static_cast<std::uint64_t>(buffer.dim(d).extent());
    at.push_back(buffer.dim(d).min() + static_cast<std::int64_t>(number % extent));
    number /= extent;
  }
  return at;
}

} // namespace

ComparisonRule ruleFor(const Halide::Type &type, bool floatsUpstream) {
  if (type.is_float()) return ComparisonRule::Relative;
  return floatsUpstream ? ComparisonRule::WithinOne : ComparisonRule::Exact;
}

double toleranceFor(const Halide::Type &type, ComparisonRule rule) {
  if (rule != ComparisonRule::Relative) return rule == ComparisonRule::WithinOne ? 1 : 0;
  if (type.is_bfloat()) return 0.05;
  if (type.bits() == 16) return 0.01;
  return type.bits() == 32 ? 1e-4 : 1e-12;
}

OutputComparison compareBuffers(const std::string &name, const Halide::Buffer<> &expected,
                                const Halide::Buffer<> &found, const Comparison &comparison,
                                const Elements &undecided) {
  OutputComparison result;
  result.name = name;
  result.rule = comparison.rule;
  result.tolerance = comparison.tolerance;
  result.elements = static_cast<std::int64_t>(expected.number_of_elements());
  const Halide::Type type = expected.type();
  forEachDifference(expected, found, comparison.rule, [&](const Difference &difference) {
    ++result.different;
    const bool isBeyond = difference.error > comparison.tolerance;
    if (isBeyond && !undecided.empty() && undecided[difference.number]) {
      ++result.undecided;
      return;
    }
    if (isBeyond) ++result.beyond;
    if (difference.error <= result.worstError && !result.worstAt.empty()) return;
    result.worstError = difference.error;
    result.worstAt = coordinatesOf(expected, difference.number);
    result.expected = printed(difference.expected, type);
    result.found = printed(difference.found, type);
  });
  // Integers are off by more than one only where a float fell on the other side of a decision.
  // Floats are where a formula magnifies its roundings, a division by a small determinant for one;
  // what is wrong is further off.
  const bool magnified = comparison.rule == ComparisonRule::Relative &&
                         result.worstError <= schedule::kMagnified * comparison.tolerance;
  if (comparison.rule == ComparisonRule::WithinOne || magnified)
    result.allowedBeyond = result.elements / 100'000;
  return result;
}

void addBeyond(const Halide::Buffer<> &expected, const Halide::Buffer<> &found,
               const Comparison &comparison, Elements &beyond) {
  beyond.resize(expected.number_of_elements());
  forEachDifference(expected, found, comparison.rule, [&](const Difference &difference) {
    if (difference.error > comparison.tolerance) beyond[difference.number] = true;
  });
}

} // namespace tessera::halide
