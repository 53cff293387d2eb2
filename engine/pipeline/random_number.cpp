// SPDX-License-Identifier: MIT
#include "engine/pipeline/random_number.h"

#include "engine/pipeline/number.h"
#include "engine/base/mixed_bits.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tessera::pipeline {

namespace {

template <typename T>
void put(std::uint8_t *address, T value) {
  std::memcpy(address, &value, sizeof value);
}

std::uint32_t bitsOf(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// The half float towards zero of a float whose magnitude is below 1.
std::uint16_t halfTowardsZero(float value) {
  const std::uint32_t bits = bitsOf(value), sign = bits >> 16 & 0x8000;
  const int exponent = static_cast<int>(bits >> 23 & 0xff) - 127 + 15;
  const std::uint32_t magnitude =
      exponent > 0 ? static_cast<std::uint32_t>(exponent) << 10 | (bits >> 13 & 0x3ff)
                   : static_cast<std::uint32_t>(std::ldexp(std::abs(value), 24)); // a subnormal
  return static_cast<std::uint16_t>(sign | magnitude);
}

void putFloat(std::uint8_t *address, ScalarType type, double value) {
  if (type.kind == TypeKind::BFloat)
    return put(address, static_cast<std::uint16_t>(bitsOf(static_cast<float>(value)) >> 16));
  if (type.bits == 64) return put(address, value);
  if (type.bits == 32) return put(address, static_cast<float>(value));
  put(address, halfTowardsZero(static_cast<float>(value)));
}

double drawnFloat(std::uint64_t bits, Drawing drawing) {
  // 24 random bits: a float32 holds all of them, also after the shift.
  const double fraction = static_cast<double>(bits >> 40) / (1 << 24);
  switch (drawing) {
  case Drawing::Usual:
    return fraction;
  case Drawing::Small:
    return fraction / 64;
  case Drawing::Centred:
    return fraction - 0.5;
  case Drawing::CentredSmall:
    return (fraction - 0.5) / 64;
  }
  return fraction;
}

std::uint64_t drawnInteger(std::uint64_t bits, ScalarType type, Drawing drawing) {
  const bool isSmall = drawing == Drawing::Small || drawing == Drawing::CentredSmall;
  const bool isCentred = drawing == Drawing::Centred || drawing == Drawing::CentredSmall;
  const std::uint64_t number = bits >> 16;
  const std::uint64_t range = type.bits >= 32 ? 1024 : std::uint64_t{1} << type.bits;
  if (type.bits == 1) return number & 1;
  const std::uint64_t drawn = number % (isSmall ? std::max<std::uint64_t>(range / 64, 2) : range);
  const bool isMoved = isCentred && type.kind == TypeKind::Int && type.bits >= 32;
  return isMoved ? drawn - (isSmall ? range / 64 : range) / 2 : drawn;
}

} // namespace

std::uint64_t seedOf(std::string_view input, std::uint64_t seed) {
  for (const char c : input)
    seed = mixed(seed ^ static_cast<unsigned char>(c));
  return seed;
}

void putRandom(std::uint8_t *address, ScalarType type, std::uint64_t inputSeed, std::uint64_t place,
               Drawing drawing) {
  const std::uint64_t bits = mixed(inputSeed + place);
  if (type.kind == TypeKind::Float || type.kind == TypeKind::BFloat)
    return putFloat(address, type, drawnFloat(bits, drawing));
  const std::uint64_t number = drawnInteger(bits, type, drawing);
  std::memcpy(address, &number, static_cast<std::size_t>(type.bytes())); // little endian
}

void moveLastBit(std::uint8_t *address, ScalarType type, std::uint64_t inputSeed,
                 std::uint64_t place) {
  const bool isFloat = type.kind == TypeKind::Float || type.kind == TypeKind::BFloat;
  if (!isFloat || !std::isfinite(numberAt(address, type))) return;
  *address ^= static_cast<std::uint8_t>(mixed(~inputSeed + place) & 1); // the lowest byte is first
}

} // namespace tessera::pipeline
