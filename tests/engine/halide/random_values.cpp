// SPDX-License-Identifier: MIT
#include "tests/engine/halide/random_values.h"

#include <array>

namespace tessera::halide::testing {

using Halide::Expr;
using Halide::Type;

Type RandomValues::anyType() {
  static const std::array kTypes{Halide::UInt(8),   Halide::Int(8),    Halide::UInt(16),
                                 Halide::Int(16),   Halide::UInt(32),  Halide::Int(32),
                                 Halide::UInt(64),  Halide::Int(64),   Halide::Bool(),
                                 Halide::Float(16), Halide::Float(32), Halide::Float(64)};
  return m_draw.oneOf(kTypes);
}

Type RandomValues::anyInteger(int mostBits) {
  const int bits = 8 << pick(0, mostBits == 8 ? 0 : mostBits == 16 ? 1 : 2);
  return chance(50) ? Halide::UInt(bits) : Halide::Int(bits);
}

Expr RandomValues::as(const Type &type, const Expr &e) {
  const Type from = e.type();
  if (from == type) return e;
  if (type.is_bool()) return from.is_float() ? e > cast(from, 0.5f) : (cast<int>(e & 1) == 1);
  if (from.is_bool()) return cast(type, select(e, 1, 0));
  if (type.is_float() && from.is_float()) return cast(type, e);
  if (type.is_float()) return cast(type, cast(Halide::Float(32), cast<int>(e & 63)) / 64.0f);
  if (from.is_float())
    return cast(type, cast<int>(clamp(cast(Halide::Float(32), e), 0.0f, 1.0f) * 100.0f));
  return chance(50) && type.bits() <= 32 && from.bits() <= 32 ? saturating_cast(type, e)
                                                              : cast(type, e & 127);
}

Expr RandomValues::tamed(const Expr &e) {
  const Type type = e.type();
  if (type.is_float()) return clamp(e, cast(type, -4.0f), cast(type, 4.0f));
  if (type.is_int() && type.bits() >= 32) return clamp(e, cast(type, -30000), cast(type, 30000));
  return e;
}

Expr RandomValues::combined(const Type &type, const Expr &a, const Expr &b, const Expr &c) {
  if (type.is_bool()) return logic(a, b, c);
  if (type.is_float()) return cast(type, ofFloats(type, a, b, c));
  const bool isFixedPoint = type.bits() <= 32 && chance(50);
  return cast(type, isFixedPoint ? fixedPoint(type, a, b, c) : ofIntegers(type, a, b, c));
}

Expr RandomValues::logic(const Expr &a, const Expr &b, const Expr &c) {
  switch (pick(0, 2)) {
  case 0:
    return (a && b) || c;
  case 1:
    return a != b;
  default:
    return select(c, a, !b);
  }
}

Expr RandomValues::ofFloats(const Type &type, const Expr &a, const Expr &b, const Expr &c) {
  switch (pick(0, 5)) {
  case 0:
    return a * b + c;
  case 1:
    return sqrt(abs(a)) - b;
  case 2:
    return a / (abs(b) + cast(type, 1.0f));
  case 3:
    return min(a, max(b, c));
  case 4:
    return floor(a * cast(type, 8.0f)) / cast(type, 8.0f) + b;
  default:
    return (a + b + c) / cast(type, 4.0f);
  }
}

Expr RandomValues::ofIntegers(const Type &type, const Expr &a, const Expr &b, const Expr &c) {
  switch (pick(0, 8)) {
  case 0:
    return a + b - c;
  case 1:
    return a * cast(type, pick(2, 7)) + b;
  case 2:
    return a / cast(type, pick(2, 9)) + b % cast(type, pick(2, 9));
  case 3:
    return (a & b) ^ c;
  case 4:
    return (a >> pick(1, 5)) + (b | c);
  case 5:
    return select(a < b, b - a, c);
  case 6:
    return cast(type, absd(a, b)) / cast(type, 2);
  case 7:
    return a / (cast(type, b & 7) + cast(type, 1));
  default:
    return min(a, max(b, c));
  }
}

// Fixed point, as in a quantised network: products with all their bits, rounded and saturated.
Expr RandomValues::fixedPoint(const Type &type, const Expr &a, const Expr &b, const Expr &c) {
  if (type.bits() <= 16 && chance(50)) {
    const Expr product = Halide::widening_mul(a, b);
    return saturating_cast(type, Halide::rounding_shift_right(product, pick(1, type.bits())));
  }
  switch (pick(0, 5)) {
  case 0:
    return Halide::rounding_mul_shift_right(a, b, pick(1, type.bits() - 1));
  case 1:
    return Halide::mul_shift_right(a, b, pick(1, type.bits() - 1));
  case 2:
    return Halide::saturating_add(a, b);
  case 3:
    return Halide::saturating_sub(a, c);
  case 4:
    return Halide::rounding_halving_add(a, Halide::halving_add(b, c));
  default:
    return Halide::rounding_shift_right(a, pick(0, 4));
  }
}

Expr RandomValues::requantised(const Type &type, const Expr &sum) {
  const Expr factor = Halide::cast<int>(pick(1 << 28, (1 << 30) + (1 << 29)));
  const Expr scaled = Halide::rounding_mul_shift_right(sum, factor, 31);
  const Expr shifted = Halide::rounding_shift_right(scaled, pick(0, 7)) + pick(-20, 140);
  if (chance(50)) return saturating_cast(type, shifted);
  const Expr low = Halide::cast<int>(type.min()), high = Halide::cast<int>(type.max());
  return cast(type, clamp(shifted, low, high));
}

Expr RandomValues::index(const Expr &value, int last) {
  switch (pick(0, 2)) {
  case 0: // uint8 wraps around by itself
    return min(Halide::cast<int>(as(Halide::UInt(8), value) + Halide::cast<std::uint8_t>(200)),
               last);
  case 1:
    return Halide::cast<int>(as(Halide::UInt(16), value) % Halide::cast<std::uint16_t>(last + 1));
  default:
    return clamp(Halide::cast<int>(as(Halide::Int(16), value)), 0, last);
  }
}

// The difference wraps around, and is clamped as an unsigned number. Of a difference of uint32,
// Halide would find no bounds.
Expr RandomValues::unsignedIndex(const Expr &value, int last) {
  const Type type = Halide::UInt(8 << pick(0, 2));
  const Expr wide = as(type, value);
  return min(type.bits() == 32 ? wide : wide - cast(type, pick(0, 20)), cast(type, last));
}

} // namespace tessera::halide::testing
