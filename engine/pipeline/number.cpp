// SPDX-License-Identifier: MIT
#include "engine/pipeline/number.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace tessera::pipeline {

namespace {

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

} // namespace

double numberAt(const std::uint8_t *address, ScalarType type) {
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

} // namespace tessera::pipeline
