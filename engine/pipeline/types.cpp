// SPDX-License-Identifier: MIT
#include "engine/pipeline/types.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace tessera::pipeline {
namespace {

constexpr std::array<std::pair<TypeKind, std::string_view>, 5> kKinds{{
    {TypeKind::Int, "int"},
    {TypeKind::UInt, "uint"},
    {TypeKind::Float, "float"},
    {TypeKind::BFloat, "bfloat"},
    {TypeKind::Handle, "handle"},
}};

} // namespace

std::string toString(ScalarType type) {
  if (type == ScalarType{TypeKind::UInt, 1}) return "bool";
  for (const auto &[kind, text] : kKinds)
    if (kind == type.kind) return std::string(text) + std::to_string(type.bits);
  return "unknown";
}

std::optional<ScalarType> scalarTypeFromString(std::string_view text) {
  if (text == "bool") return ScalarType{TypeKind::UInt, 1};
  const std::size_t digits = text.find_first_of("0123456789");
  if (digits == std::string_view::npos) return std::nullopt;
  unsigned bits = 0;
  const char *end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + digits, end, bits);
  if (parsed.ec != std::errc{} || parsed.ptr != end || bits == 0 || bits > 128) return std::nullopt;
  for (const auto &[kind, word] : kKinds)
    if (word == text.substr(0, digits)) return ScalarType{kind, static_cast<std::uint8_t>(bits)};
  return std::nullopt;
}

std::int64_t volume(const Box &box) {
  std::int64_t points = 1;
  for (const Interval &side : box) {
    if (side.empty()) return 0;
    if (!side.bounded()) return kPlusInfinity;
    std::int64_t extent = 0;
    if (__builtin_sub_overflow(side.max, side.min, &extent)) return kPlusInfinity;
    points = saturatingMultiply(points, saturatingAdd(extent, 1));
  }
  return points;
}

} // namespace tessera::pipeline
