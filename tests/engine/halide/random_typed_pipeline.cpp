// SPDX-License-Identifier: MIT
#include "tests/engine/halide/random_typed_pipeline.h"

#include <array>
#include <random>
#include <string>
#include <vector>

namespace tessera::halide::testing {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Type;
using Halide::Var;

constexpr int kWidth = 300, kHeight = 200; // of the inputs

class TypedGenerator {
public:
  explicit TypedGenerator(std::uint64_t seed) : m_random(seed) {}

  Halide::Pipeline make() {
    const int inputs = pick(1, 3), funcs = pick(2, 7);
    for (int i = 0; i < inputs; ++i)
      addInput();
    for (int i = 0; i < funcs; ++i)
      chance(20) ? addTuple() : chance(25) ? addSum() : addFunc();
    addFunc(); // the output has one value
    m_funcs.back().set_estimates({{0, 256}, {0, 128}});
    return Halide::Pipeline(m_funcs.back());
  }

private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  bool chance(int percent) { return pick(1, 100) <= percent; }

  Type anyType() {
    static const std::array kTypes{
        Halide::UInt(8),    Halide::Int(8),    Halide::UInt(16), Halide::Int(16), Halide::UInt(32),
        Halide::Int(32),    Halide::UInt(64),  Halide::Int(64),  Halide::Bool(),  Halide::Float(16),
        Halide::BFloat(16), Halide::Float(32), Halide::Float(64)};
    return kTypes[static_cast<std::size_t>(pick(0, static_cast<int>(kTypes.size()) - 1))];
  }
  Type anyInteger(int mostBits) {
    const std::array bits{8, 16, 32};
    const int most = mostBits == 8 ? 0 : mostBits == 16 ? 1 : 2;
    const int chosen = bits[static_cast<std::size_t>(pick(0, most))];
    return chance(50) ? Halide::UInt(chosen) : Halide::Int(chosen);
  }

  void addInput() {
    m_inputs.emplace_back(anyType(), 2, "in" + std::to_string(m_inputs.size()));
    m_inputs.back().dim(0).set_estimate(0, kWidth);
    m_inputs.back().dim(1).set_estimate(0, kHeight);
  }

  // A place near x or y, or a multiple or fraction of it.
  Expr place(const Expr &of) {
    switch (pick(0, 9)) {
    case 0:
      return of * 2 + pick(-2, 2);
    case 1:
      return of / 2 + pick(-2, 2);
    case 2:
      return 99 - of;
    default:
      return of + pick(-3, 3);
    }
  }

  // A value of an earlier func or an input, as it is there.
  Expr source(const Expr &x, const Expr &y) {
    const auto inputs = static_cast<int>(m_inputs.size()), funcs = static_cast<int>(m_funcs.size());
    const int which = pick(0, inputs + 2 * funcs - 1); // funcs twice as often
    if (which < inputs)
      return m_inputs[static_cast<std::size_t>(which)](clamp(place(x), 0, kWidth - 1),
                                                       clamp(place(y), 0, kHeight - 1));
    Func &func = m_funcs[static_cast<std::size_t>((which - inputs) / 2)];
    const std::vector<Expr> at{clamp(place(x), -50, 700), clamp(place(y), -50, 500)};
    if (func.outputs() == 1) return func(at);
    return func(at)[pick(0, func.outputs() - 1)];
  }

  // The value in another type. Floats stay small, so that sums and products of a few are finite in
  // float16, and fit into every integer.
  Expr as(const Type &type, const Expr &e) {
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

  Expr value(const Type &type, const Expr &x, const Expr &y) {
    return tamed(as(type, source(x, y)));
  }

  // Keeps what is computed small where an overflow is not defined, or a float would grow.
  static Expr tamed(const Expr &e) {
    const Type type = e.type();
    if (type.is_float()) return clamp(e, cast(type, -4.0f), cast(type, 4.0f));
    if (type.is_int() && type.bits() >= 32) return clamp(e, cast(type, -30000), cast(type, 30000));
    return e;
  }

  // Halide computes some functions of bfloat16 as float32, so the result is converted back.
  Expr combined(const Type &type, const Expr &a, const Expr &b, const Expr &c) {
    if (type.is_bool()) return logic(a, b, c);
    if (type.is_float()) return cast(type, ofFloats(type, a, b, c));
    const bool isFixedPoint = type.bits() <= 32 && chance(50);
    return cast(type, isFixedPoint ? fixedPoint(type, a, b, c) : ofIntegers(type, a, b, c));
  }

  Expr logic(const Expr &a, const Expr &b, const Expr &c) {
    switch (pick(0, 2)) {
    case 0:
      return (a && b) || c;
    case 1:
      return a != b;
    default:
      return select(c, a, !b);
    }
  }

  Expr ofFloats(const Type &type, const Expr &a, const Expr &b, const Expr &c) {
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

  Expr ofIntegers(const Type &type, const Expr &a, const Expr &b, const Expr &c) {
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
  Expr fixedPoint(const Type &type, const Expr &a, const Expr &b, const Expr &c) {
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

  Expr definition(const Type &type, const Expr &x, const Expr &y) {
    return tamed(combined(type, value(type, x, y), value(type, x, y), value(type, x, y)));
  }

  Func named() { return Func("f" + std::to_string(m_funcs.size())); }

  void addFunc() {
    Func f = named();
    const Var x("x"), y("y");
    const Type type = anyType();
    f(x, y) = definition(type, x, y);
    if (chance(15)) f(x, y) = tamed(combined(type, f(x, y), value(type, x, y), value(type, x, y)));
    m_funcs.push_back(f);
  }

  // A sum or an extreme of products over a small window, in a type that holds it.
  void addSum() {
    Func f = named();
    const Var x("x"), y("y");
    const Halide::RDom r(pick(-2, 1), pick(2, 6), pick(-1, 1), pick(1, 3), "r");
    const std::array<Type, 6> sums{Halide::Int(32),   Halide::UInt(32),  Halide::Int(64),
                                   Halide::Float(32), Halide::Float(64), Halide::Float(16)};
    const Type type = sums[static_cast<std::size_t>(pick(0, 5))];
    const Type narrow = type.is_float() ? (chance(50) ? Halide::Float(16) : type) : anyInteger(16);
    const Expr a = value(narrow, x + r.x, y + r.y), b = value(narrow, x, y + r.y);
    f(x, y) = cast(type, pick(0, 1));
    if (narrow.is_float())
      f(x, y) += cast(type, a) * cast(type, b) / cast(type, 16.0f);
    else
      f(x, y) += cast(type, Halide::widening_mul(a, b) >> (narrow.bits() / 2));
    m_funcs.push_back(f);
    if (chance(60)) addNarrowed(m_funcs.back(), type);
  }

  // The sum as a network uses it: scaled, rounded and saturated to few bits.
  void addNarrowed(Func sum, const Type &type) {
    Func f = named();
    const Var x("x"), y("y");
    if (type.is_float()) {
      f(x, y) = cast(chance(50) ? Halide::Float(16) : Halide::BFloat(16),
                     tamed(sum(x, y) * cast(type, 0.25f)));
    } else if (type.bits() == 32) {
      const Type to = anyInteger(16);
      const Expr scale = cast(type, pick(1 << 8, 1 << 14));
      f(x, y) = saturating_cast(to, Halide::rounding_mul_shift_right(sum(x, y), scale, 16));
    } else {
      f(x, y) =
          saturating_cast(anyInteger(32), Halide::rounding_shift_right(sum(x, y), pick(1, 9)));
    }
    m_funcs.push_back(f);
  }

  // Two or three values of different types; sometimes the place of the least one of a window.
  void addTuple() {
    Func f = named();
    const Var x("x"), y("y");
    if (chance(50)) {
      std::vector<Expr> values;
      for (int i = pick(2, 3); i > 0; --i)
        values.push_back(definition(anyType(), x, y));
      f(x, y) = Halide::Tuple(values);
    } else {
      // The place is first: a minimum that is stored before the place is computed from it would be
      // read again.
      const Halide::RDom r(pick(-2, 0), pick(2, 6), "r");
      const Type type = anyInteger(32);
      const Expr next = value(type, x + r, y);
      f(x, y) = Halide::Tuple(cast(Halide::Int(chance(50) ? 16 : 8), 0), type.max());
      const Expr isLess = next < f(x, y)[1];
      f(x, y) = Halide::Tuple(select(isLess, cast(f.types()[0], r.x), f(x, y)[0]),
                              select(isLess, next, f(x, y)[1]));
    }
    m_funcs.push_back(f);
  }

  std::mt19937_64 m_random;
  std::vector<Halide::ImageParam> m_inputs;
  std::vector<Func> m_funcs;
};

} // namespace

Halide::Pipeline randomTypedPipeline(std::uint64_t seed) { return TypedGenerator(seed).make(); }

} // namespace tessera::halide::testing
