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

template <typename T>
void convert(const std::uint8_t *address, std::size_t count, double *numbers) {
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<double>(get<T>(address + i * sizeof(T)));
}

void decode(double (*from)(std::uint16_t), const std::uint8_t *address, std::size_t count,
            double *numbers) {
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = from(get<std::uint16_t>(address + i * sizeof(std::uint16_t)));
}

} // namespace

void numbersAt(const std::uint8_t *address, ScalarType type, std::size_t count, double *numbers) {
  const bool isSigned = type.kind == TypeKind::Int, isFloat = type.kind == TypeKind::Float;
  const auto as = [&]<typename T>(T) { convert<T>(address, count, numbers); };
  switch (type.bytes()) {
  case 1:
    return isSigned ? as(std::int8_t{}) : as(std::uint8_t{});
  case 2:
    if (type.kind == TypeKind::BFloat) return decode(fromBfloat, address, count, numbers);
    if (isFloat) return decode(fromHalf, address, count, numbers);
    return isSigned ? as(std::int16_t{}) : as(std::uint16_t{});
  case 4:
    return isFloat ? as(float{}) : isSigned ? as(std::int32_t{}) : as(std::uint32_t{});
  default:
    return isFloat ? as(double{}) : isSigned ? as(std::int64_t{}) : as(std::uint64_t{});
  }
}

double numberAt(const std::uint8_t *address, ScalarType type) {
  double number = 0;
  numbersAt(address, type, 1, &number);
  return number;
}

} // namespace tessera::pipeline
