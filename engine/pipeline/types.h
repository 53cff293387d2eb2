// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::pipeline {

// Indices in Pipeline::funcs(), stages(), inputs() and edges(). They are distinct types, so that
// one cannot be used for another.
enum class FuncId : std::uint32_t {};
enum class StageId : std::uint32_t {};
enum class InputId : std::uint32_t {};
enum class EdgeId : std::uint32_t {};

template <typename Id>
constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

enum class TypeKind : std::uint8_t { Int, UInt, Float, BFloat, Handle };

struct ScalarType {
  TypeKind kind = TypeKind::Int;
  std::uint8_t bits = 32;

  int bytes() const { return (bits + 7) / 8; }
  friend bool operator==(const ScalarType &, const ScalarType &) = default;
};

std::string toString(ScalarType type); // "uint8", "float32", "bool"
std::optional<ScalarType> scalarTypeFromString(std::string_view text);

inline constexpr std::int64_t kMinusInfinity = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kPlusInfinity = std::numeric_limits<std::int64_t>::max();

// Both ends are included. An end may be infinite (the two constants above). The interval is empty
// if min > max.
struct Interval {
  std::int64_t min = 0;
  std::int64_t max = -1;

  bool empty() const { return min > max; }
  bool bounded() const { return min != kMinusInfinity && max != kPlusInfinity; }
  std::int64_t extent() const { return empty() ? 0 : max - min + 1; }
  bool contains(const Interval &other) const {
    return other.empty() || (min <= other.min && other.max <= max);
  }
  friend bool operator==(const Interval &, const Interval &) = default;
};

inline constexpr Interval kEverything{kMinusInfinity, kPlusInfinity};

// Inline, because a search calls it millions of times.
inline Interval hull(const Interval &a, const Interval &b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

inline Interval intersection(const Interval &a, const Interval &b) {
  return {std::max(a.min, b.min), std::min(a.max, b.max)};
}

// One interval for each dimension, innermost first as in Halide.
using Box = std::vector<Interval>;

// The number of points. It saturates instead of overflowing.
std::int64_t volume(const Box &box);

} // namespace tessera::pipeline
