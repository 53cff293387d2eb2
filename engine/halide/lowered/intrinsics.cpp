// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/intrinsics.h"

#include "engine/halide/lowered/arithmetic.h"
#include "engine/halide/lowered/zip.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace tessera::halide::lowered {

namespace {

using Halide::Type;
using Arguments = std::span<const ValuePtr>;
__extension__ typedef __int128 Wide;

Word integerWord(std::int64_t value) { return Word{.i = value}; }
Word floatWord(double value) { return Word{.f = value}; }

Wide wide(const Type &type, Word word) {
  return type.is_uint() ? Wide{static_cast<std::uint64_t>(word.i)} : Wide{word.i};
}

// The lowest bits, as the type has them.
Word narrow(const Type &type, Wide value) {
  return integerWord(wrapped(type, static_cast<std::int64_t>(value)));
}

Word saturated(const Type &type, Wide value) {
  const int bits = type.bits();
  const Wide one = 1;
  const Wide most = (one << (type.is_int() ? bits - 1 : bits)) - 1;
  const Wide least = type.is_int() ? -(one << (bits - 1)) : Wide{0};
  return narrow(type, std::clamp(value, least, most));
}

// Shifts by any count: to the right where it is negative, with the sign.
Wide shiftedLeft(Wide value, Wide count) {
  constexpr int kMost = 126;
  if (count >= 0) return count > 64 ? Wide{0} : value * (Wide{1} << static_cast<int>(count));
  return value >> static_cast<int>(std::min<Wide>(-count, kMost));
}

template <typename Op>
Value wideBinary(const Type &type, Arguments of, Op op) {
  const Type a = of[0]->type, b = of[1]->type;
  return zipped(type, *of[0], *of[1], [&](Word x, Word y) { return op(wide(a, x), wide(b, y)); });
}

#define TESSERA_WIDE(Name, Fit, Expression)                                                        \
  Value Name(const Type &type, Arguments of) {                                                     \
    return wideBinary(type, of, [&](Wide a, Wide b) { return Fit(type, Expression); });            \
  }
TESSERA_WIDE(halvingAdd, narrow, (a + b) >> 1)
TESSERA_WIDE(halvingSub, narrow, (a - b) >> 1)
TESSERA_WIDE(roundingHalvingAdd, narrow, (a + b + 1) >> 1)
TESSERA_WIDE(shiftLeft, narrow, shiftedLeft(a, b))
TESSERA_WIDE(shiftRight, narrow, shiftedLeft(a, -b))
TESSERA_WIDE(roundingShiftRight, saturated,
             shiftedLeft(a + (b > 0 ? (Wide{1} << static_cast<int>(b)) / 2 : Wide{0}), -b))
// Halide documents that it saturates, but its code for every target wraps around.
TESSERA_WIDE(roundingShiftLeft, narrow,
             shiftedLeft(a + (b < 0 ? (Wide{1} << static_cast<int>(-b)) / 2 : Wide{0}), b))
TESSERA_WIDE(saturatingAdd, saturated, a + b)
TESSERA_WIDE(saturatingSub, saturated, a - b)
TESSERA_WIDE(quotientToZero, narrow, b == 0 ? Wide{0} : a / b)
TESSERA_WIDE(restToZero, narrow, b == 0 ? Wide{0} : a % b)
TESSERA_WIDE(bitAnd, narrow, a &b)
TESSERA_WIDE(bitOr, narrow, a | b)
TESSERA_WIDE(bitXor, narrow, a ^ b)
#undef TESSERA_WIDE

// An operation that is one of floats as well.
template <Binary operation>
Value plainBinary(const Type &, Arguments of) {
  return binary(operation, *of[0], *of[1]);
}

// Both arguments are widened to the result's type first.
template <Binary operation>
Value widening(const Type &type, Arguments of) {
  return binary(operation, converted(type, *of[0]), converted(type, *of[1]));
}

Value wideningShiftLeft(const Type &type, Arguments of) {
  return wideBinary(type, of, [&](Wide a, Wide b) { return narrow(type, shiftedLeft(a, b)); });
}
Value wideningShiftRight(const Type &type, Arguments of) {
  return wideBinary(type, of, [&](Wide a, Wide b) { return narrow(type, shiftedLeft(a, -b)); });
}

Value absolute(const Type &type, Arguments of) {
  if (type.is_float()) return mapped(type, *of[0], [](Word x) { return floatWord(std::abs(x.f)); });
  return mapped(type, *of[0],
                [&](Word x) { return narrow(type, x.i < 0 ? -Wide{x.i} : Wide{x.i}); });
}

Value distance(const Type &type, Arguments of) {
  if (type.is_float())
    return zipped(type, *of[0], *of[1],
                  [&](Word x, Word y) { return floatWord(rounded(type, std::abs(x.f - y.f))); });
  return wideBinary(type, of, [&](Wide a, Wide b) { return narrow(type, a < b ? b - a : a - b); });
}

Value bitNot(const Type &type, Arguments of) {
  return mapped(type, *of[0], [&](Word x) { return narrow(type, ~Wide{x.i}); });
}

// The pattern of an integer without what its sign adds above its own bits.
std::uint64_t patternOf(const Type &type, Word word) {
  return type.bits() >= 64 ? static_cast<std::uint64_t>(word.i)
                           : static_cast<std::uint64_t>(word.i) & ((1ULL << type.bits()) - 1);
}

Value onesIn(const Type &type, Arguments of) {
  return mapped(type, *of[0],
                [&](Word x) { return integerWord(std::popcount(patternOf(type, x))); });
}
Value leadingZeros(const Type &type, Arguments of) {
  return mapped(type, *of[0], [&](Word x) {
    return integerWord(std::countl_zero(patternOf(type, x)) - (64 - type.bits()));
  });
}
Value trailingZeros(const Type &type, Arguments of) {
  return mapped(type, *of[0], [&](Word x) {
    return integerWord(std::min(std::countr_zero(patternOf(type, x)), type.bits()));
  });
}

Value saturatingCast(const Type &type, Arguments of) {
  const Type from = of[0]->type;
  if (!from.is_float())
    return type.is_float()
               ? converted(type, *of[0])
               : mapped(type, *of[0], [&](Word x) { return saturated(type, wide(from, x)); });
  if (type.is_float()) {
    const auto most = Halide::Internal::as_const_float(type.element_of().max());
    const double limit = most ? *most : std::numeric_limits<double>::max();
    return mapped(type, *of[0], [&](Word x) {
      return floatWord(rounded(type, std::isnan(x.f) ? x.f : std::clamp(x.f, -limit, limit)));
    });
  }
  return mapped(type, *of[0], [&](Word x) {
    constexpr double kBeyond = 0x1p65; // beyond every type, and within Wide
    const double value = std::isnan(x.f) ? 0 : std::clamp(x.f, -kBeyond, kBeyond);
    return saturated(type, static_cast<Wide>(value));
  });
}

// Three arguments: (a * b) >> q, where the product has all its bits.
template <bool rounding>
Value mulShiftRight(const Type &type, Arguments of) {
  const std::uint32_t threads = std::max({of[0]->threads, of[1]->threads, of[2]->threads});
  const ValuePtr a = spread(of[0], threads), b = spread(of[1], threads), q = spread(of[2], threads);
  Value result = zipped(type, *a, *b, [](Word x, Word) { return x; });
  for (std::size_t i = 0; i < result.words.size(); ++i) {
    const Wide product = wide(a->type, a->words[i]) * wide(b->type, b->words[i]);
    const auto shift = static_cast<int>(std::clamp<std::int64_t>(q->words[i].i, 0, 126));
    const Wide half = rounding && shift > 0 ? Wide{1} << (shift - 1) : Wide{0};
    result.words[i] = saturated(type, (product + half) >> shift);
  }
  return result;
}

// A weight between 0 and the largest number of the type without a sign: lerp() of integers computes
// with so many steps. A float's is cut off.
Wide weightOf(const Type &by, Word weight, double steps) {
  if (!by.is_float()) {
    const Wide most = (Wide{1} << by.bits()) - 1;
    return Wide{static_cast<std::int64_t>(patternOf(by, weight))} * static_cast<Wide>(steps) / most;
  }
  const double product = steps * weight.f;
  constexpr double kOf32Bits = 0x1p32 - 1; // Halide computes these as doubles
  return static_cast<Wide>(steps < kOf32Bits ? rounded(by, product) : product);
}

Word interpolatedInteger(const Type &type, Word zero, Word one, const Type &by, Word weight) {
  const double steps = std::ldexp(1.0, type.bits()) - 1;
  const Wide whole = static_cast<Wide>(steps), part = weightOf(by, weight, steps);
  const Wide least = type.is_int() ? -(Wide{1} << (type.bits() - 1)) : Wide{0};
  const Wide sum = (wide(type, zero) - least) * (whole - part) + (wide(type, one) - least) * part;
  return narrow(type, (sum + whole / 2) / whole + least);
}

Value interpolated(const Type &type, Arguments of) {
  const std::uint32_t threads = std::max({of[0]->threads, of[1]->threads, of[2]->threads});
  const ValuePtr zero = spread(of[0], threads), one = spread(of[1], threads),
                 weight = spread(of[2], threads);
  Value result = zipped(type, *zero, *one, [](Word x, Word) { return x; });
  const Type by = weight->type;
  const double whole = by.is_float() ? 1 : std::ldexp(1.0, by.bits()) - 1;
  for (std::size_t i = 0; i < result.words.size(); ++i) {
    const Word a = zero->words[i], b = one->words[i], w = weight->words[i];
    if (!type.is_float()) {
      result.words[i] = interpolatedInteger(type, a, b, by, w);
      continue;
    }
    const double part = (by.is_float() ? w.f : static_cast<double>(patternOf(by, w))) / whole;
    result.words[i].f = rounded(type, a.f * (1 - part) + b.f * part);
  }
  return result;
}

// The value of that number; the last one if there is none.
Value muxed(const Type &, Arguments of) {
  Value result = *of.back();
  for (std::size_t i = of.size() - 1; i-- > 1;) {
    const Value number = Value::ofInteger(of[0]->type, static_cast<std::int64_t>(i) - 1);
    result = chosen(binary(Binary::EQ, *of[0], number), *of[i], result);
  }
  return result;
}

Value firstOf(const Type &, Arguments of) { return *of[0]; }
Value secondOf(const Type &, Arguments of) { return *of[1]; }

Value undefinedValue(const Type &type, Arguments) {
  Value result(type, 1);
  result.unknown.assign(result.words.size(), 1);
  return result;
}

// Functions of floats. They are computed as doubles and rounded to the type.
template <double (*function)(double)>
Value ofFloats(const Type &type, Arguments of) {
  return mapped(type, *of[0], [&](Word x) { return floatWord(rounded(type, function(x.f))); });
}
template <double (*function)(double, double)>
Value ofTwoFloats(const Type &type, Arguments of) {
  return zipped(type, *of[0], *of[1],
                [&](Word x, Word y) { return floatWord(rounded(type, function(x.f, y.f))); });
}
template <bool (*function)(double)>
Value isSo(const Type &type, Arguments of) {
  return mapped(type, *of[0], [](Word x) { return integerWord(function(x.f)); });
}
double inverse(double x) { return 1 / x; }
double inverseRoot(double x) { return 1 / std::sqrt(x); }
bool isNan(double x) { return std::isnan(x); }
bool isInfinite(double x) { return std::isinf(x); }
bool isFinite(double x) { return std::isfinite(x); }

template <int sign> // 0: not a number
Value special(const Type &type, Arguments) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return Value::ofFloat(type,
                        sign == 0 ? std::numeric_limits<double>::quiet_NaN() : kInfinity * sign);
}

using Calls = std::map<std::string, PureCall, std::less<>>;

Calls integerCalls() {
  return {{"abs", absolute},
          {"absd", distance},
          {"bitwise_and", bitAnd},
          {"bitwise_or", bitOr},
          {"bitwise_xor", bitXor},
          {"bitwise_not", bitNot},
          {"count_leading_zeros", leadingZeros},
          {"count_trailing_zeros", trailingZeros},
          {"popcount", onesIn},
          {"div_round_to_zero", quotientToZero},
          {"mod_round_to_zero", restToZero},
          {"halving_add", halvingAdd},
          {"halving_sub", halvingSub},
          {"sorted_avg", halvingAdd},
          {"rounding_halving_add", roundingHalvingAdd},
          {"shift_left", shiftLeft},
          {"shift_right", shiftRight},
          {"rounding_shift_left", roundingShiftLeft},
          {"rounding_shift_right", roundingShiftRight},
          {"saturating_add", saturatingAdd},
          {"saturating_sub", saturatingSub},
          {"saturating_cast", saturatingCast},
          {"mul_shift_right", mulShiftRight<false>},
          {"rounding_mul_shift_right", mulShiftRight<true>},
          {"widening_add", widening<Binary::Add>},
          {"widening_sub", widening<Binary::Sub>},
          {"widening_mul", widening<Binary::Mul>},
          {"widen_right_add", widening<Binary::Add>},
          {"widen_right_sub", widening<Binary::Sub>},
          {"widen_right_mul", widening<Binary::Mul>},
          {"widening_shift_left", wideningShiftLeft},
          {"widening_shift_right", wideningShiftRight}};
}

Calls otherCalls() {
  return {{"lerp", interpolated},
          {"mux", muxed},
          {"likely", firstOf},
          {"likely_if_innermost", firstOf},
          {"promise_clamped", firstOf},
          {"unsafe_promise_clamped", firstOf},
          {"return_second", secondOf},
          {"undef", undefinedValue},
          {"signed_integer_overflow", undefinedValue},
          {"strict_add", plainBinary<Binary::Add>},
          {"strict_sub", plainBinary<Binary::Sub>},
          {"strict_mul", plainBinary<Binary::Mul>},
          {"strict_div", plainBinary<Binary::Div>},
          {"strict_min", plainBinary<Binary::Min>},
          {"strict_max", plainBinary<Binary::Max>},
          {"strict_eq", plainBinary<Binary::EQ>},
          {"strict_lt", plainBinary<Binary::LT>},
          {"strict_le", plainBinary<Binary::LE>},
          {"round", ofFloats<std::nearbyint>}};
}

Calls floatCalls() {
  return {{"sqrt", ofFloats<std::sqrt>},
          {"sin", ofFloats<std::sin>},
          {"cos", ofFloats<std::cos>},
          {"tan", ofFloats<std::tan>},
          {"asin", ofFloats<std::asin>},
          {"acos", ofFloats<std::acos>},
          {"atan", ofFloats<std::atan>},
          {"sinh", ofFloats<std::sinh>},
          {"cosh", ofFloats<std::cosh>},
          {"tanh", ofFloats<std::tanh>},
          {"asinh", ofFloats<std::asinh>},
          {"acosh", ofFloats<std::acosh>},
          {"atanh", ofFloats<std::atanh>},
          {"exp", ofFloats<std::exp>},
          {"log", ofFloats<std::log>},
          {"floor", ofFloats<std::floor>},
          {"ceil", ofFloats<std::ceil>},
          {"trunc", ofFloats<std::trunc>},
          {"round", ofFloats<std::nearbyint>},
          {"abs", ofFloats<std::fabs>},
          {"fast_inverse", ofFloats<inverse>},
          {"fast_inverse_sqrt", ofFloats<inverseRoot>},
          {"pow", ofTwoFloats<std::pow>},
          {"atan2", ofTwoFloats<std::atan2>},
          {"is_nan", isSo<isNan>},
          {"is_inf", isSo<isInfinite>},
          {"is_finite", isSo<isFinite>},
          {"nan", special<0>},
          {"inf", special<1>},
          {"neg_inf", special<-1>}};
}

} // namespace

PureCall pureCall(std::string_view name) {
  static const Calls calls = [] {
    Calls all = integerCalls();
    all.merge(otherCalls());
    for (const auto &[function, call] : floatCalls())
      for (const char *type : {"_f16", "_f32", "_f64"})
        all.emplace(function + type, call);
    return all;
  }();
  const auto at = calls.find(name);
  return at == calls.end() ? nullptr : at->second;
}

} // namespace tessera::halide::lowered
