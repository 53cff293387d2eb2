// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::schedule {

// A number or a condition that Halide computes when the pipeline runs, from the sizes of inputs and
// outputs and from scalar inputs: what bound() and specialize() may be given. It is kept as its
// author wrote it, and only Halide knows its value.
struct SizeExpression {
  enum class Op : std::uint8_t {
    Number,
    Name, // Halide's name of a size or of a scalar input: "input.extent.0", "count"
    Add,
    Sub,
    Mul,
    Div, // rounds down, as in Halide
    Mod,
    Min,
    Max,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Not,
    Select, // condition, value if it is true, value if it is false
  };
  static constexpr int kOps = 19;

  Op op = Op::Number;
  std::int64_t number = 0;
  std::string name;
  std::vector<SizeExpression> of; // the operands

  static SizeExpression ofNumber(std::int64_t number) { return {Op::Number, number, {}, {}}; }
  static SizeExpression ofName(std::string name) { return {Op::Name, 0, std::move(name), {}}; }

  friend bool operator==(const SizeExpression &, const SizeExpression &) = default;
};

// The deepest nesting of an expression, which bounds the stack that reading and printing need.
inline constexpr int kDeepestExpression = 40;

// How many operands an operation takes.
std::size_t operandsOf(SizeExpression::Op op);
// Calls such as min(a, b) by their names; nullopt for other words.
std::optional<SizeExpression::Op> callNamed(std::string_view name);
// Operations that stand between their operands, by their symbols ("+", "<="), and how strongly they
// bind.
struct Infix {
  SizeExpression::Op op;
  std::string_view symbol;
  int strength;
};
const Infix *infixOf(std::string_view symbol);

// Whether the expression is a condition (true) or a number (false). Empty if operands do not fit
// their operations, if an operation has numbers alone, which C++ and Halide divide differently, if
// a name or a number is not one of Halide's, or if it is nested too deeply.
std::optional<bool> isCondition(const SizeExpression &expression);

// The value of an expression, a condition being 1 or 0, where `known` has the values of names.
// Empty where it does not, and where the value does not fit 32 bits.
std::optional<std::int64_t>
valueOf(const SizeExpression &expression,
        const std::function<std::optional<std::int64_t>(const std::string &)> &known);

// The names in an expression, in the order in which they are written.
std::vector<std::string> namesIn(const SizeExpression &expression);
void renameIn(SizeExpression &expression,
              const std::function<std::string(const std::string &)> &renamed);

// What differs between languages.
struct SizeSpelling {
  std::string_view divide = "/", both = " && ", either = " || ";
  std::string_view no = "!", noBehind; // before and behind what is negated
  std::string_view prefix;             // of min, max and select
  bool wrapsComparisons = false;       // true: "both" binds more strongly than comparisons
};

// "input.extent.0/2*2". Names are as in Halide, in quotes where they have other characters than
// letters, digits, '_', '.' and '$'.
std::string textOf(const SizeExpression &expression);
// As code; `name` writes a name.
std::string textOf(const SizeExpression &expression, const SizeSpelling &spelling,
                   const std::function<std::string(const std::string &)> &name);

// The inverse of textOf(). Fails for a text that is not a number or a condition.
Result<SizeExpression> sizeExpressionFrom(std::string_view text);

} // namespace tessera::schedule
