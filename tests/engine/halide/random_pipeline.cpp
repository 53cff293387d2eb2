// SPDX-License-Identifier: MIT
#include "tests/engine/halide/random_pipeline.h"

#include "tests/engine/halide/random_index.h"
#include "tests/engine/halide/random_values.h"

#include <string>
#include <vector>

namespace tessera::halide::testing {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Type;
using Halide::Var;

constexpr int kWidth = 300, kHeight = 200; // of the inputs
// Of a func, elements from -kBefore to kAfter are read.
constexpr int kBefore = 20, kAfterX = 330, kAfterY = 220;

class PipelineGenerator {
public:
  explicit PipelineGenerator(std::uint64_t seed) : m_draw(seed), m_values(m_draw) {}

  Halide::Pipeline make() {
    addInput(m_values.anyType());
    for (int more = pick(0, 2); more > 0; --more)
      addInput(chance(15) ? Halide::BFloat(16) : m_values.anyType());
    for (int funcs = pick(2, 7); funcs > 0; --funcs)
      addStage();
    chance(15) ? addTuple() : addPoint(); // neither a scatter nor a sum is an output
    m_funcs.back().set_estimates({{0, 256}, {0, 128}});
    return Halide::Pipeline(m_funcs.back());
  }

private:
  int pick(int low, int high) { return m_draw.pick(low, high); }
  bool chance(int percent) { return m_draw.chance(percent); }

  void addStage() {
    switch (pick(0, 9)) {
    case 0:
    case 1:
      return addTuple();
    case 2:
      return addSum();
    case 3:
      return addNarrowReduction();
    case 4:
      return addQuantised();
    case 5:
      return addScatter();
    default:
      return addPoint();
    }
  }

  void addInput(const Type &type) {
    m_inputs.emplace_back(type, 2, "in" + std::to_string(m_inputs.size()));
    m_inputs.back().dim(0).set_estimate(0, kWidth);
    m_inputs.back().dim(1).set_estimate(0, kHeight);
  }

  // A place near the loop, or a multiple or fraction of it, or what affineIndex() makes of both.
  Expr place(const Expr &of, const Expr &other) {
    switch (pick(0, 9)) {
    case 0:
      return of * 2 + pick(-2, 2);
    case 1:
      return of / 2 + pick(-2, 2);
    case 2:
      return 99 - of;
    case 3:
      return affineIndex(m_draw, {of, other}, pick(0, 2));
    default:
      return of + pick(-3, 3);
    }
  }

  Expr fromInput(const Halide::ImageParam &input, const Expr &x, const Expr &y) {
    return input(clamp(x, 0, kWidth - 1), clamp(y, 0, kHeight - 1));
  }
  Expr fromFunc(const Func &func, int value, const Expr &x, const Expr &y) {
    const std::vector<Expr> at{clamp(x, -kBefore, kAfterX), clamp(y, -kBefore, kAfterY)};
    return func.outputs() == 1 ? Expr(func(at)) : Expr(func(at)[value]);
  }

  // A value of an earlier func or an input near a place.
  Expr source(const Expr &x, const Expr &y) {
    const Expr atX = place(x, y);
    return sourceAt(atX, place(y, x), false);
  }

  // A value of an earlier func or an input, as it is there: of bfloat16 if `isBfloat`, else of
  // another type. Undefined if there is none.
  Expr sourceAt(const Expr &x, const Expr &y, bool isBfloat) {
    std::vector<Expr> all;
    const auto add = [&](const Type &type, const Expr &e) {
      if (type.is_bfloat() == isBfloat) all.push_back(e);
    };
    for (const Halide::ImageParam &input : m_inputs)
      add(input.type(), fromInput(input, x, y));
    for (const Func &func : m_funcs)
      for (int value = 0; value < func.outputs(); ++value)
        for (int twice = 0; twice < 2; ++twice) // funcs twice as often as inputs
          add(func.types()[static_cast<std::size_t>(value)], fromFunc(func, value, x, y));
    if (all.empty()) return {};
    return all[static_cast<std::size_t>(pick(0, static_cast<int>(all.size()) - 1))];
  }

  Expr value(const Type &type, const Expr &x, const Expr &y) {
    const bool isGathered = chance(6);
    const Expr from =
        isGathered ? sourceAt(m_values.index(source(x, y), kWidth - 1), y, false) : source(x, y);
    return RandomValues::tamed(m_values.as(type, from));
  }

  Expr definition(const Type &type, const Expr &x, const Expr &y) {
    const Expr a = value(type, x, y), b = value(type, x, y), c = value(type, x, y);
    return RandomValues::tamed(m_values.combined(type, a, b, c));
  }

  // bfloat16 is copied and never computed with.
  Expr anyDefinition(const Expr &x, const Expr &y) {
    if (chance(8))
      if (const Expr copied = sourceAt(place(x, y), y, true); copied.defined()) return copied;
    return definition(m_values.anyType(), x, y);
  }

  Func named() { return Func("f" + std::to_string(m_funcs.size())); }

  void addPoint() {
    Func f = named();
    f(m_x, m_y) = anyDefinition(m_x, m_y);
    const Type type = f.types()[0];
    if (!type.is_bfloat() && chance(15)) {
      const Expr b = value(type, m_x, m_y), c = value(type, m_x, m_y);
      f(m_x, m_y) = RandomValues::tamed(m_values.combined(type, f(m_x, m_y), b, c));
    }
    m_funcs.push_back(f);
  }

  RDom window() { return {pick(-2, 1), pick(2, 5), pick(-1, 1), pick(1, 3), "r"}; }

  // A sum of products over a small window, in a type that holds it.
  void addSum() {
    Func f = named();
    const RDom r = window();
    static const std::array kSums{Halide::Int(32),   Halide::UInt(32),  Halide::Int(64),
                                  Halide::Float(32), Halide::Float(64), Halide::Float(16)};
    const Type type = m_draw.oneOf(kSums);
    const bool isFloat = type.is_float();
    const Type narrow = !isFloat ? m_values.anyInteger(16) : chance(50) ? Halide::Float(16) : type;
    const Expr a = value(narrow, m_x + r.x, m_y + r.y), b = value(narrow, m_x, m_y + r.y);
    f(m_x, m_y) = cast(type, pick(0, 1));
    if (isFloat)
      f(m_x, m_y) += cast(type, a) * cast(type, b) / cast(type, 16.0f);
    else
      f(m_x, m_y) += cast(type, Halide::widening_mul(a, b) >> (narrow.bits() / 2));
    m_funcs.push_back(f);
    if (type == Halide::Float(32) && chance(60)) addHalves(f);
  }

  // float32 that is stored as float16, with which a product of halves ends.
  void addHalves(const Func &sum) {
    Func f = named();
    f(m_x, m_y) = cast(Halide::Float(16), RandomValues::tamed(sum(m_x, m_y) * 0.25f));
    m_funcs.push_back(f);
  }

  // A sum that wraps around, a product of bits, an extreme, or "any" and "all", in few bits.
  void addNarrowReduction() {
    Func f = named();
    const RDom r = window();
    const bool isBool = chance(30);
    const Type type = isBool ? Halide::Bool() : m_values.anyInteger(16);
    const Expr next = value(type, m_x + r.x, m_y + r.y);
    const int kind = pick(0, isBool ? 1 : 3);
    f(m_x, m_y) = isBool ? cast(type, kind) : kind == 2 ? type.max() : cast(type, 0);
    const Expr old = f(m_x, m_y);
    if (isBool)
      f(m_x, m_y) = kind == 0 ? old || next : old && next;
    else
      f(m_x, m_y) = kind == 0   ? old + next
                    : kind == 1 ? old ^ next
                    : kind == 2 ? min(old, next)
                                : max(old, next);
    m_funcs.push_back(f);
  }

  // int8 times int8 (or uint8) to int32, and from there to few bits, as a quantised network does.
  void addQuantised() {
    Func sum = named();
    const RDom r = window();
    const Type first = chance(50) ? Halide::Int(8) : Halide::UInt(8);
    const Expr a = value(first, m_x + r.x, m_y + r.y), b = value(Halide::Int(8), m_x, m_y + r.y);
    sum(m_x, m_y) = Halide::cast<int>(pick(-500, 500));
    sum(m_x, m_y) += (Halide::cast<int>(a) - pick(0, 9)) * Halide::cast<int>(b);
    m_funcs.push_back(sum);
    Func f = named();
    f(m_x, m_y) =
        m_values.requantised(chance(70) ? Halide::UInt(8) : m_values.anyInteger(16), sum(m_x, m_y));
    m_funcs.push_back(f);
  }

  // Where a value is stored: computed there, or the value of a func.
  Expr binOf(const RDom &r, int last) {
    if (chance(60)) return m_values.index(source(r, m_y), last);
    Func bins = named();
    bins(m_x, m_y) = m_values.unsignedIndex(source(m_x, m_y), last);
    m_funcs.push_back(bins);
    return Halide::cast<int>(bins(r, m_y));
  }

  // A histogram of each row, or values that are stored where others say. Where two go to one place
  // the last one stays, in the order of the loops.
  void addScatter() {
    constexpr int kBins = 64;
    const RDom r(0, pick(8, 40), "r");
    const Expr bin = binOf(r, kBins - 1);
    Func f = named();
    const Type type = chance(50) ? Halide::Int(32) : m_values.anyInteger(32);
    f(m_x, m_y) = cast(type, 0);
    if (chance(60))
      f(bin, m_y) += cast(type, 1);
    else
      f(bin, m_y) = value(type, r, m_y);
    m_funcs.push_back(f);
  }

  // Two or three values of different types; sometimes the place of the least one of a window.
  void addTuple() {
    Func f = named();
    chance(50) ? defineValues(f) : defineLeast(f);
    m_funcs.push_back(f);
  }

  void defineValues(Func &f) {
    std::vector<Expr> values;
    for (int i = pick(2, 3); i > 0; --i)
      values.push_back(anyDefinition(m_x, m_y));
    f(m_x, m_y) = Halide::Tuple(values);
  }

  // The place is first: a minimum that is stored before the place is computed from it would be read
  // again.
  void defineLeast(Func &f) {
    const RDom r(pick(-2, 0), pick(2, 6), "r");
    const Type type = m_values.anyInteger(32);
    const Expr next = value(type, m_x + r, m_y);
    f(m_x, m_y) = Halide::Tuple(cast(Halide::Int(chance(50) ? 16 : 8), 0), type.max());
    const Expr isLess = next < f(m_x, m_y)[1];
    f(m_x, m_y) = Halide::Tuple(select(isLess, cast(f.types()[0], r.x), f(m_x, m_y)[0]),
                                select(isLess, next, f(m_x, m_y)[1]));
  }

  Draw m_draw;
  RandomValues m_values;
  const Var m_x{"x"}, m_y{"y"};
  std::vector<Halide::ImageParam> m_inputs;
  std::vector<Func> m_funcs;
};

} // namespace

Halide::Pipeline randomPipeline(std::uint64_t seed) { return PipelineGenerator(seed).make(); }

} // namespace tessera::halide::testing
