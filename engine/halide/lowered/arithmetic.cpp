// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/arithmetic.h"

#include "engine/halide/lowered/zip.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace tessera::halide::lowered {

namespace {

using Halide::Type;
using Int = std::int64_t;
using UInt = std::uint64_t;

Word ofInt(Int value) { return Word{.i = value}; }
Word ofFloat(double value) { return Word{.f = value}; }

// Calls `use` with the function that fits an integer into the type.
template <typename Use>
Value withWrap(const Type &type, Use use) {
  const int shift = 64 - std::min(type.bits(), 64);
  if (type.is_int())
    return use([shift](UInt value) { return static_cast<Int>(value << shift) >> shift; });
  return use([shift](UInt value) { return static_cast<Int>((value << shift) >> shift); });
}

template <typename Use>
Value withRounding(const Type &type, Use use) {
  if (type.bits() == 64) return use([](double value) { return value; });
  if (type.bits() == 32)
    return use([](double value) { return static_cast<double>(static_cast<float>(value)); });
  return use([type](double value) { return rounded(type, value); });
}

template <typename Op>
Value integers(const Value &a, const Value &b, Op op) {
  return withWrap(a.type, [&](auto wrap) {
    return zipped(a.type, a, b, [&](Word x, Word y) {
      return ofInt(wrap(op(static_cast<UInt>(x.i), static_cast<UInt>(y.i))));
    });
  });
}

template <typename Op>
Value floats(const Value &a, const Value &b, Op op) {
  return withRounding(a.type, [&](auto round) {
    return zipped(a.type, a, b, [&](Word x, Word y) { return ofFloat(round(op(x.f, y.f))); });
  });
}

UInt signedQuotient(UInt a, UInt b) {
  if (b == static_cast<UInt>(-1)) return 0 - a; // the most negative number has no positive one
  return static_cast<UInt>(
      Halide::Internal::div_imp<Int>(static_cast<Int>(a), static_cast<Int>(b)));
}

UInt signedRest(UInt a, UInt b) {
  if (b == static_cast<UInt>(-1)) return 0;
  return static_cast<UInt>(
      Halide::Internal::mod_imp<Int>(static_cast<Int>(a), static_cast<Int>(b)));
}

double floatRest(double a, double b) { return a - b * std::floor(a / b); }

// The operation on doubles, signed or unsigned integers: these compare differently.
template <typename Op>
Value compared(const Value &a, const Value &b, Op op) {
  const Type type = Halide::Bool(a.type.lanes());
  if (a.type.is_float())
    return zipped(type, a, b, [op](Word x, Word y) { return ofInt(op(x.f, y.f)); });
  if (a.type.is_int())
    return zipped(type, a, b, [op](Word x, Word y) { return ofInt(op(x.i, y.i)); });
  return zipped(type, a, b, [op](Word x, Word y) {
    return ofInt(op(static_cast<UInt>(x.i), static_cast<UInt>(y.i)));
  });
}

template <typename Less>
Value lesser(const Value &a, const Value &b, Less less) {
  if (a.type.is_float())
    return zipped(a.type, a, b, [less](Word x, Word y) { return less(x.f, y.f) ? x : y; });
  if (a.type.is_int())
    return zipped(a.type, a, b, [less](Word x, Word y) { return less(x.i, y.i) ? x : y; });
  return zipped(a.type, a, b, [less](Word x, Word y) {
    return less(static_cast<UInt>(x.i), static_cast<UInt>(y.i)) ? x : y;
  });
}

Value divided(const Value &a, const Value &b) {
  if (a.type.is_float()) return floats(a, b, [](double x, double y) { return x / y; });
  if (a.type.is_int()) return integers(a, b, signedQuotient);
  return integers(a, b, [](UInt x, UInt y) { return y ? x / y : 0; });
}

Value rest(const Value &a, const Value &b) {
  if (a.type.is_float()) return floats(a, b, floatRest);
  if (a.type.is_int()) return integers(a, b, signedRest);
  return integers(a, b, [](UInt x, UInt y) { return y ? x % y : 0; });
}

// "and" and "or" of a word that decides alone are known whatever the other one is.
Value logical(const Value &a, const Value &b, bool isOr) {
  Value result = zipped(a.type, a, b,
                        [isOr](Word x, Word y) { return ofInt(isOr ? (x.i | y.i) : (x.i & y.i)); });
  if (result.unknown.empty()) return result;
  forPairs(a, b, [&](std::size_t to, std::size_t i, std::size_t k) {
    const bool aDecides = !a.isUnknown(i) && (a.words[i].i != 0) == isOr;
    const bool bDecides = !b.isUnknown(k) && (b.words[k].i != 0) == isOr;
    if (aDecides || bDecides) result.unknown[to] = 0;
  });
  return result;
}

Int truncated(double value) {
  if (std::isnan(value)) return 0;
  constexpr double kEnd = 0x1p63;
  if (value >= kEnd) return std::numeric_limits<Int>::max();
  if (value < -kEnd) return std::numeric_limits<Int>::min();
  return static_cast<Int>(value);
}

UInt truncatedUnsigned(double value) {
  if (!(value >= 0x1p63)) return static_cast<UInt>(truncated(value));
  return value >= 0x1p64 ? std::numeric_limits<UInt>::max() : static_cast<UInt>(value);
}

double floatOf(const Type &from, const Type &to, Int value) {
  const bool isNatural = from.is_uint();
  if (to.bits() == 32) // not through a double, which would round twice
    return isNatural ? static_cast<float>(static_cast<UInt>(value)) : static_cast<float>(value);
  return rounded(to, isNatural ? static_cast<double>(static_cast<UInt>(value))
                               : static_cast<double>(value));
}

Value halvesOf(const Value &a, Halide::Internal::VectorReduce::Operator operation, const Value &b) {
  using Reduce = Halide::Internal::VectorReduce;
  switch (operation) {
  case Reduce::Mul:
    return binary(Binary::Mul, a, b);
  case Reduce::Min:
    return binary(Binary::Min, a, b);
  case Reduce::Max:
    return binary(Binary::Max, a, b);
  case Reduce::And:
    return binary(Binary::And, a, b);
  case Reduce::Or:
    return binary(Binary::Or, a, b);
  default:
    return binary(Binary::Add, a, b);
  }
}

} // namespace

Value binary(Binary operation, const Value &a, const Value &b) {
  const bool isFloat = a.type.is_float();
  switch (operation) {
  case Binary::Add:
    return isFloat ? floats(a, b, [](double x, double y) { return x + y; })
                   : integers(a, b, [](UInt x, UInt y) { return x + y; });
  case Binary::Sub:
    return isFloat ? floats(a, b, [](double x, double y) { return x - y; })
                   : integers(a, b, [](UInt x, UInt y) { return x - y; });
  case Binary::Mul:
    return isFloat ? floats(a, b, [](double x, double y) { return x * y; })
                   : integers(a, b, [](UInt x, UInt y) { return x * y; });
  case Binary::Div:
    return divided(a, b);
  case Binary::Mod:
    return rest(a, b);
  case Binary::Min:
    return lesser(a, b, [](auto x, auto y) { return x < y; });
  case Binary::Max:
    return lesser(a, b, [](auto x, auto y) { return x > y; });
  case Binary::EQ:
    return compared(a, b, [](auto x, auto y) { return x == y; });
  case Binary::NE:
    return compared(a, b, [](auto x, auto y) { return x != y; });
  case Binary::LT:
    return compared(a, b, [](auto x, auto y) { return x < y; });
  case Binary::LE:
    return compared(a, b, [](auto x, auto y) { return x <= y; });
  case Binary::GT:
    return compared(a, b, [](auto x, auto y) { return x > y; });
  case Binary::GE:
    return compared(a, b, [](auto x, auto y) { return x >= y; });
  case Binary::And:
    return logical(a, b, false);
  case Binary::Or:
    return logical(a, b, true);
  }
  return a;
}

Value negation(const Value &a) {
  return mapped(a.type, a, [](Word x) { return ofInt(x.i == 0); });
}

Value converted(const Type &type, const Value &a) {
  const Type from = a.type;
  if (type.is_bool()) {
    if (from.is_float()) return mapped(type, a, [](Word x) { return ofInt(x.f != 0); });
    return mapped(type, a, [](Word x) { return ofInt(x.i != 0); });
  }
  if (from.is_float() && type.is_float())
    return mapped(type, a, [&](Word x) { return ofFloat(rounded(type, x.f)); });
  if (type.is_float())
    return mapped(type, a, [&](Word x) { return ofFloat(floatOf(from, type, x.i)); });
  if (!from.is_float()) return mapped(type, a, [&](Word x) { return ofInt(wrapped(type, x.i)); });
  if (type.is_uint())
    return mapped(type, a, [&](Word x) {
      return ofInt(wrapped(type, static_cast<Int>(truncatedUnsigned(x.f))));
    });
  return mapped(type, a, [&](Word x) { return ofInt(wrapped(type, truncated(x.f))); });
}

Value reinterpreted(const Type &type, const Value &a) {
  if (type.is_handle() || a.type.is_handle()) {
    Value same = a;
    same.type = type;
    return same;
  }
  Value result(type, a.threads);
  const Type from = a.type.element_of(), to = type.element_of();
  const auto fromBytes = static_cast<std::size_t>(from.bytes());
  const auto toBytes = static_cast<std::size_t>(to.bytes());
  std::vector<std::uint8_t> bytes(a.words.size() * fromBytes);
  for (std::size_t i = 0; i < a.words.size(); ++i)
    encode(from, a.words[i], &bytes[i * fromBytes]);
  for (std::size_t i = 0; i < result.words.size(); ++i)
    result.words[i] = decoded(to, &bytes[i * toBytes]);
  if (a.unknown.empty()) return result;
  result.unknown.resize(result.words.size());
  for (std::size_t byte = 0; byte < bytes.size(); ++byte)
    if (a.unknown[byte / fromBytes]) result.unknown[byte / toBytes] = 1;
  return result;
}

Value chosen(const Value &condition, const Value &yes, const Value &no) {
  const std::uint32_t threads = std::max({condition.threads, yes.threads, no.threads});
  Value result(yes.type, threads);
  const bool mayBeUnknown =
      !condition.unknown.empty() || !yes.unknown.empty() || !no.unknown.empty();
  if (mayBeUnknown) result.unknown.resize(result.words.size());
  const std::size_t lanes = yes.lanes(), step = condition.lanes() == 1 ? 0 : 1;
  const std::size_t perCondition = threads / condition.threads, perYes = threads / yes.threads,
                    perNo = threads / no.threads;
  std::size_t to = 0;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const std::size_t c = thread / perCondition * condition.lanes();
    const std::size_t y = thread / perYes * lanes, n = thread / perNo * lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane, ++to) {
      const bool isYes = condition.words[c + lane * step].i != 0;
      result.words[to] = isYes ? yes.words[y + lane] : no.words[n + lane];
      if (mayBeUnknown)
        result.unknown[to] = condition.isUnknown(c + lane * step) ||
                             (isYes ? yes.isUnknown(y + lane) : no.isUnknown(n + lane));
    }
  }
  return result;
}

Value repeated(const Value &a, int lanes) {
  std::vector<int> order;
  for (int i = 0; i < lanes; ++i)
    for (int lane = 0; lane < a.type.lanes(); ++lane)
      order.push_back(lane);
  return shuffled(std::vector<ValuePtr>{std::make_shared<const Value>(a)}, order);
}

Value ramp(const Value &base, const Value &step, int lanes) {
  const int inner = base.type.lanes();
  Value count(base.type.with_lanes(inner * lanes), 1);
  for (int i = 0; i < inner * lanes; ++i)
    count.words[static_cast<std::size_t>(i)] = ofInt(i / inner);
  if (base.type.is_float())
    for (Word &word : count.words)
      word = ofFloat(static_cast<double>(word.i));
  return binary(Binary::Add, repeated(base, lanes),
                binary(Binary::Mul, count, repeated(step, lanes)));
}

Value shuffled(std::span<const ValuePtr> vectors, const std::vector<int> &lanes) {
  std::uint32_t threads = 1;
  bool mayBeUnknown = false;
  std::vector<std::pair<std::size_t, std::size_t>> sources; // of each lane of all: vector and lane
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    threads = std::max(threads, vectors[v]->threads);
    mayBeUnknown = mayBeUnknown || !vectors[v]->unknown.empty();
    for (std::size_t lane = 0; lane < vectors[v]->lanes(); ++lane)
      sources.emplace_back(v, lane);
  }
  Value result(vectors[0]->type.with_lanes(static_cast<int>(lanes.size())), threads);
  if (mayBeUnknown) result.unknown.resize(result.words.size());
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const auto [v, from] = sources[static_cast<std::size_t>(lanes[lane])];
    const Value &vector = *vectors[v];
    const std::size_t per = threads / vector.threads;
    for (std::size_t thread = 0; thread < threads; ++thread) {
      const std::size_t at = thread / per * vector.lanes() + from;
      result.words[thread * lanes.size() + lane] = vector.words[at];
      if (mayBeUnknown) result.unknown[thread * lanes.size() + lane] = vector.isUnknown(at);
    }
  }
  return result;
}

Value reduced(Halide::Internal::VectorReduce::Operator operation, const Value &a, int lanes) {
  const int each = a.type.lanes() / lanes;
  const std::vector<ValuePtr> all{std::make_shared<const Value>(a)};
  Value result;
  for (int k = 0; k < each; ++k) {
    std::vector<int> order;
    for (int lane = 0; lane < lanes; ++lane)
      order.push_back(lane * each + k);
    Value next = shuffled(all, order);
    result = k == 0 ? std::move(next) : halvesOf(result, operation, next);
  }
  return result;
}

} // namespace tessera::halide::lowered
