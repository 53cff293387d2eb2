// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/value.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tessera::halide::lowered {

namespace {

// Rounds to `bits` significant bits. Halide's own conversions of a double go through a float and so
// round twice.
double roundedTo(int bits, double value) {
  const int dropped = 53 - bits;
  auto pattern = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t lowest = std::uint64_t{1} << dropped;
  pattern += (lowest / 2 - 1) + ((pattern >> dropped) & 1);
  return std::bit_cast<double>(pattern & ~(lowest - 1));
}

// A format of 16 bits: its significant bits, its smallest normal number and its largest number.
struct Small {
  int bits;
  double smallest, largest;
};
constexpr Small kHalf{11, 0x1p-14, 65504};
constexpr Small kBfloat{8, 0x1p-126, 0x1.fep127};

double roundedTo(const Small &format, double value) {
  if (!std::isfinite(value)) return value;
  if (std::abs(value) < format.smallest) {
    // Subnormal numbers are multiples of one quantum.
    const double quantum = std::ldexp(format.smallest, 1 - format.bits);
    return std::copysign(std::nearbyint(value / quantum) * quantum, value);
  }
  const double result = roundedTo(format.bits, value);
  if (std::abs(result) <= format.largest) return result;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

template <typename T>
T read(const std::uint8_t *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <typename T>
void write(T value, std::uint8_t *bytes) {
  std::memcpy(bytes, &value, sizeof value);
}

double decodedFloat(const Halide::Type &type, const std::uint8_t *bytes) {
  if (type.bits() == 64) return read<double>(bytes);
  if (type.bits() == 32) return read<float>(bytes);
  const auto bits = read<std::uint16_t>(bytes);
  if (type.is_bfloat()) return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  return static_cast<double>(Halide::float16_t::make_from_bits(bits));
}

void encodeFloat(const Halide::Type &type, double value, std::uint8_t *bytes) {
  if (type.bits() == 64) return write(value, bytes);
  if (type.bits() == 32) return write(static_cast<float>(value), bytes);
  if (type.is_bfloat()) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return write(static_cast<std::uint16_t>(bits >> 16), bytes);
  }
  write(Halide::float16_t(value).to_bits(), bytes);
}

} // namespace

Value Value::ofInteger(const Halide::Type &type, std::int64_t value) {
  Value result(type, 1);
  for (Word &word : result.words)
    word.i = wrapped(type, value);
  return result;
}

Value Value::ofFloat(const Halide::Type &type, double value) {
  Value result(type, 1);
  for (Word &word : result.words)
    word.f = rounded(type, value);
  return result;
}

std::int64_t wrapped(const Halide::Type &type, std::int64_t value) {
  const int bits = type.bits();
  if (bits >= 64 || type.is_handle()) return value;
  const int shift = 64 - bits;
  const auto high = static_cast<std::uint64_t>(value) << shift;
  return type.is_int() ? static_cast<std::int64_t>(high) >> shift
                       : static_cast<std::int64_t>(high >> shift);
}

double rounded(const Halide::Type &type, double value) {
  if (type.bits() == 64) return value;
  if (type.bits() == 32) return static_cast<float>(value);
  return roundedTo(type.is_bfloat() ? kBfloat : kHalf, value);
}

Word decoded(const Halide::Type &type, const std::uint8_t *bytes) {
  Word word{};
  if (type.is_float()) {
    word.f = decodedFloat(type, bytes);
    return word;
  }
  const bool isSigned = type.is_int();
  switch (type.bytes()) {
  case 1:
    word.i = isSigned ? read<std::int8_t>(bytes) : std::int64_t{read<std::uint8_t>(bytes)};
    break;
  case 2:
    word.i = isSigned ? read<std::int16_t>(bytes) : std::int64_t{read<std::uint16_t>(bytes)};
    break;
  case 4:
    word.i = isSigned ? read<std::int32_t>(bytes) : std::int64_t{read<std::uint32_t>(bytes)};
    break;
  default:
    word.i = read<std::int64_t>(bytes);
  }
  if (type.is_bool()) word.i = word.i != 0;
  return word;
}

void encode(const Halide::Type &type, Word word, std::uint8_t *bytes) {
  if (type.is_float()) return encodeFloat(type, word.f, bytes);
  switch (type.bytes()) {
  case 1:
    return write(static_cast<std::uint8_t>(word.i), bytes);
  case 2:
    return write(static_cast<std::uint16_t>(word.i), bytes);
  case 4:
    return write(static_cast<std::uint32_t>(word.i), bytes);
  default:
    return write(word.i, bytes);
  }
}

ValuePtr spread(const ValuePtr &value, std::uint32_t threads) {
  if (value->threads == threads) return value;
  auto wide = std::make_shared<Value>(value->type, threads);
  const std::size_t lanes = value->lanes(), times = threads / value->threads;
  if (!value->unknown.empty()) wide->unknown.resize(wide->words.size());
  std::size_t to = 0;
  for (std::size_t thread = 0; thread < value->threads; ++thread)
    for (std::size_t time = 0; time < times; ++time)
      for (std::size_t lane = 0; lane < lanes; ++lane, ++to) {
        wide->words[to] = value->words[thread * lanes + lane];
        if (!value->unknown.empty()) wide->unknown[to] = value->unknown[thread * lanes + lane];
      }
  return wide;
}

} // namespace tessera::halide::lowered
