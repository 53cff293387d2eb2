// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <algorithm>
#include <cstdint>

namespace tessera::pipeline {

// Arithmetic on the ends of intervals. Infinite ends stay infinite and nothing overflows, even for
// the values of a damaged file. Only lower ends, or only upper ends, are added to each other, so
// the two infinities never meet in a sum.

constexpr bool isInfinite(std::int64_t v) { return v == kMinusInfinity || v == kPlusInfinity; }

constexpr std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
  if (isInfinite(a)) return a;
  if (isInfinite(b)) return b;
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return a < 0 ? kMinusInfinity : kPlusInfinity;
  return sum;
}

constexpr std::int64_t saturatingMultiply(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0) return 0;
  std::int64_t product = 0;
  if (isInfinite(a) || isInfinite(b) || __builtin_mul_overflow(a, b, &product))
    return (a < 0) == (b < 0) ? kPlusInfinity : kMinusInfinity;
  return product;
}

// Rounds towards minus infinity, as Halide's integer division does; divisor > 0.
constexpr std::int64_t floorDivide(std::int64_t a, std::int64_t divisor) {
  if (divisor == 1 || isInfinite(a)) return a;
  const std::int64_t quotient = a / divisor;
  return quotient * divisor > a ? quotient - 1 : quotient;
}

// The same operations on both ends of an interval. Each operation is monotone, so the ends are
// enough.

constexpr Interval plus(const Interval &a, const Interval &b) {
  return {saturatingAdd(a.min, b.min), saturatingAdd(a.max, b.max)};
}

constexpr Interval times(const Interval &a, std::int64_t factor) {
  if (factor == 1) return a;
  const std::int64_t low = saturatingMultiply(factor, a.min);
  const std::int64_t high = saturatingMultiply(factor, a.max);
  return factor < 0 ? Interval{high, low} : Interval{low, high};
}

constexpr Interval floorDivide(const Interval &a, std::int64_t divisor) {
  return {floorDivide(a.min, divisor), floorDivide(a.max, divisor)};
}

constexpr Interval clamp(const Interval &a, const Interval &range) {
  return {std::min(std::max(a.min, range.min), range.max),
          std::min(std::max(a.max, range.min), range.max)};
}

} // namespace tessera::pipeline
