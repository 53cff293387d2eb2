// SPDX-License-Identifier: MIT
#include "engine/pipeline/scalar_value.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace tessera::pipeline {

namespace {

template <typename Number>
bool parse(std::string_view text, Number &number) {
  const char *end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && rest == end;
}

bool isBool(ScalarType type) { return type == ScalarType{TypeKind::UInt, 1}; }

// The largest unsigned value of `bits` bits. For a signed type, pass one bit less.
std::uint64_t largest(int bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

} // namespace

bool isValueOf(ScalarType type, std::string_view text) {
  if (isBool(type) && (text == "true" || text == "false")) return true;
  switch (type.kind) {
  case TypeKind::Int: {
    std::int64_t number = 0;
    if (!parse(text, number)) return false;
    const auto most = static_cast<std::int64_t>(largest(type.bits - 1));
    return number <= most && number >= -most - 1;
  }
  case TypeKind::UInt: {
    std::uint64_t number = 0;
    return parse(text, number) && number <= largest(type.bits);
  }
  case TypeKind::Float:
  case TypeKind::BFloat: {
    double number = 0;
    return parse(text, number) && std::isfinite(number);
  }
  case TypeKind::Handle:
    break;
  }
  return false;
}

std::string valuesOf(ScalarType type) {
  if (isBool(type)) return "true or false";
  switch (type.kind) {
  case TypeKind::Int:
    return "a whole number from -" + std::to_string(largest(type.bits - 1) + 1) + " to " +
           std::to_string(largest(type.bits - 1));
  case TypeKind::UInt:
    return "a whole number from 0 to " + std::to_string(largest(type.bits));
  case TypeKind::Float:
  case TypeKind::BFloat:
    return "a number";
  case TypeKind::Handle:
    break;
  }
  return "no value that can be written";
}

} // namespace tessera::pipeline
