// SPDX-License-Identifier: MIT
#include "engine/schedule/words/size_expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>

namespace tessera::schedule {

namespace {

using Op = SizeExpression::Op;

// How strongly operators bind: those of kInfixes, "!", and what needs no brackets.
constexpr int kProducts = 6, kNegation = 7, kStrongest = 8;
constexpr std::size_t kLongest = 256; // bytes of a name

constexpr auto kInfixes = std::to_array<Infix>({
    {Op::Or, "||", 1},
    {Op::And, "&&", 2},
    {Op::Equal, "==", 3},
    {Op::NotEqual, "!=", 3},
    {Op::LessEqual, "<=", 4},
    {Op::GreaterEqual, ">=", 4},
    {Op::Less, "<", 4},
    {Op::Greater, ">", 4},
    {Op::Add, "+", 5},
    {Op::Sub, "-", 5},
    {Op::Mul, "*", 6},
    {Op::Div, "/", 6},
    {Op::Mod, "%", 6},
});

struct Call {
  Op op;
  std::string_view name;
};
constexpr auto kCalls =
    std::to_array<Call>({{Op::Min, "min"}, {Op::Max, "max"}, {Op::Select, "select"}});

const Infix *infixOf(Op op) {
  const auto *at = std::ranges::find(kInfixes, op, &Infix::op);
  return at == kInfixes.end() ? nullptr : at;
}

bool isComparison(Op op) { return op >= Op::Equal && op <= Op::GreaterEqual; }

// Writes an expression with the brackets that it needs.
class Writer {
public:
  using NameWriter = std::function<std::string(const std::string &)>;

  Writer(const SizeSpelling &spelling, const NameWriter &name)
      : m_spelling(spelling), m_name(name) {}

  std::string text(const SizeExpression &expression) const {
    if (expression.op == Op::Number) return std::to_string(expression.number);
    if (expression.op == Op::Name) return m_name(expression.name);
    if (expression.op == Op::Not)
      return std::string(m_spelling.no) + bracketed(expression.of[0], kNegation) +
             std::string(m_spelling.noBehind);
    if (const Infix *infix = infixOf(expression.op))
      return bracketed(expression.of[0], infix->strength - 1) + between(*infix) +
             bracketed(expression.of[1], infix->strength);
    const auto *call = std::ranges::find(kCalls, expression.op, &Call::op);
    std::string out = std::string(m_spelling.prefix) + std::string(call->name) + "(";
    for (std::size_t i = 0; i < expression.of.size(); ++i)
      out += (i > 0 ? ", " : "") + text(expression.of[i]);
    return out + ")";
  }

private:
  int strengthOf(const SizeExpression &expression) const {
    if (expression.op == Op::Not) return kNegation;
    // A leading minus needs brackets behind an operator.
    if (expression.op == Op::Number) return expression.number < 0 ? 0 : kStrongest;
    if (m_spelling.wrapsComparisons && isComparison(expression.op)) return 0;
    const Infix *infix = infixOf(expression.op);
    return infix ? infix->strength : kStrongest;
  }

  std::string bracketed(const SizeExpression &operand, int strongerThan) const {
    return strengthOf(operand) > strongerThan ? text(operand) : "(" + text(operand) + ")";
  }

  std::string between(const Infix &infix) const {
    if (infix.op == Op::And) return std::string(m_spelling.both);
    if (infix.op == Op::Or) return std::string(m_spelling.either);
    if (infix.op == Op::Div) return std::string(m_spelling.divide);
    // C++ reads %: as another word for #.
    if (infix.op == Op::Mod && m_spelling.prefix.starts_with(':')) return "% ";
    const std::string symbol(infix.symbol);
    return infix.strength == kProducts ? symbol : " " + symbol + " ";
  }

  const SizeSpelling &m_spelling;
  const NameWriter &m_name;
};

// Whether the expression fits, and what it is.
std::optional<bool> conditionAt(const SizeExpression &expression, int depth) {
  if (depth > kDeepestExpression || expression.of.size() != operandsOf(expression.op))
    return std::nullopt;
  if (expression.op == Op::Number) {
    const bool fits = expression.number >= std::numeric_limits<std::int32_t>::min() &&
                      expression.number <= std::numeric_limits<std::int32_t>::max();
    return fits ? std::optional(false) : std::nullopt;
  }
  if (expression.op == Op::Name) {
    const bool fits = !expression.name.empty() && expression.name.size() <= kLongest;
    return fits ? std::optional(false) : std::nullopt;
  }
  if (std::ranges::all_of(expression.of,
                          [](const SizeExpression &one) { return one.op == Op::Number; }))
    return std::nullopt;
  const bool isLogic =
      expression.op == Op::And || expression.op == Op::Or || expression.op == Op::Not;
  for (std::size_t i = 0; i < expression.of.size(); ++i) {
    const auto operand = conditionAt(expression.of[i], depth + 1);
    const bool wanted = isLogic || (expression.op == Op::Select && i == 0);
    if (operand != wanted) return std::nullopt;
  }
  return isLogic || isComparison(expression.op);
}

// Halide's division leaves a remainder that is not negative, and is 0 where it divides by 0.
std::int64_t quotient(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  const std::int64_t rest = a % b;
  return a / b - (rest < 0 ? (b > 0 ? 1 : -1) : 0);
}

std::int64_t applied(Op op, const std::vector<std::int64_t> &of) {
  switch (op) {
  case Op::Add:
    return of[0] + of[1];
  case Op::Sub:
    return of[0] - of[1];
  case Op::Mul:
    return of[0] * of[1];
  case Op::Div:
    return quotient(of[0], of[1]);
  case Op::Mod:
    return of[1] == 0 ? 0 : of[0] - quotient(of[0], of[1]) * of[1];
  case Op::Min:
    return std::min(of[0], of[1]);
  case Op::Max:
    return std::max(of[0], of[1]);
  case Op::Equal:
    return of[0] == of[1];
  case Op::NotEqual:
    return of[0] != of[1];
  case Op::Less:
    return of[0] < of[1];
  case Op::LessEqual:
    return of[0] <= of[1];
  case Op::Greater:
    return of[0] > of[1];
  case Op::GreaterEqual:
    return of[0] >= of[1];
  case Op::And:
    return of[0] && of[1];
  case Op::Or:
    return of[0] || of[1];
  case Op::Not:
    return !of[0];
  case Op::Select:
    return of[0] ? of[1] : of[2];
  case Op::Number:
  case Op::Name:
    break;
  }
  return 0;
}

bool isNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isNamePart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
}

std::string quotedName(const std::string &name) {
  const bool isPlain = !name.empty() && isNameStart(name.front()) &&
                       std::ranges::all_of(name, isNamePart) && !callNamed(name);
  if (isPlain) return name;
  std::string text = "\"";
  for (const char c : name)
    text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return text + "\"";
}

// Reads an expression by the strengths of its operators.
class Reader {
public:
  explicit Reader(std::string_view text) : m_text(text) {}

  Result<SizeExpression> run() {
    SizeExpression expression;
    if (!read(expression, 0, 0) || (skipSpace(), m_place < m_text.size()) ||
        !isCondition(expression))
      return Error{ErrorCode::InputRefused,
                   "'" + std::string(m_text) + "' is not an expression of sizes",
                   "Write it as in input.extent.0 / 2 * 2, with + - * / %, comparisons, &&, ||, !, "
                   "min, max and select."};
    return expression;
  }

private:
  void skipSpace() {
    while (m_place < m_text.size() && m_text[m_place] == ' ')
      ++m_place;
  }

  bool accept(std::string_view symbol) {
    skipSpace();
    if (!m_text.substr(m_place).starts_with(symbol)) return false;
    m_place += symbol.size();
    return true;
  }

  // Reads operators that bind more strongly than `weakest`.
  bool read(SizeExpression &expression, int weakest, int depth) {
    if (depth > kDeepestExpression || !readOperand(expression, depth)) return false;
    while (const Infix *infix = nextInfix(weakest)) {
      m_place += infix->symbol.size();
      SizeExpression right;
      if (!read(right, infix->strength, depth + 1)) return false;
      expression = {infix->op, 0, {}, {std::move(expression), std::move(right)}};
    }
    return true;
  }

  const Infix *nextInfix(int weakest) {
    skipSpace();
    for (const Infix &infix : kInfixes)
      if (m_text.substr(m_place).starts_with(infix.symbol))
        return infix.strength > weakest ? &infix : nullptr;
    return nullptr;
  }

  bool readOperand(SizeExpression &expression, int depth) {
    if (accept("(")) return read(expression, 0, depth + 1) && accept(")");
    if (accept("!")) {
      expression = {Op::Not, 0, {}, {SizeExpression()}};
      return readOperandDeeper(expression.of[0], depth);
    }
    if (m_place >= m_text.size()) return false;
    const char first = m_text[m_place];
    if (first == '"') return readQuoted(expression);
    if (first == '-' || std::isdigit(static_cast<unsigned char>(first)))
      return readNumber(expression);
    return isNameStart(first) && readName(expression, depth);
  }

  bool readOperandDeeper(SizeExpression &expression, int depth) {
    return depth < kDeepestExpression && readOperand(expression, depth + 1);
  }

  bool readNumber(SizeExpression &expression) {
    const char *const begin = m_text.data() + m_place;
    const auto read = std::from_chars(begin, m_text.data() + m_text.size(), expression.number);
    m_place += static_cast<std::size_t>(read.ptr - begin);
    return read.ec == std::errc{} && read.ptr != begin;
  }

  bool readQuoted(SizeExpression &expression) {
    expression.op = Op::Name;
    for (++m_place; m_place < m_text.size() && m_text[m_place] != '"'; ++m_place) {
      if (m_text[m_place] == '\\') ++m_place;
      if (m_place < m_text.size()) expression.name += m_text[m_place];
    }
    return accept("\"");
  }

  bool readName(SizeExpression &expression, int depth) {
    const std::size_t begin = m_place;
    while (m_place < m_text.size() && isNamePart(m_text[m_place]))
      ++m_place;
    const std::string_view name = m_text.substr(begin, m_place - begin);
    const auto call = callNamed(name);
    if (!call) {
      expression = SizeExpression::ofName(std::string(name));
      return true;
    }
    expression.op = *call;
    if (!accept("(")) return false;
    do {
      if (expression.of.size() == operandsOf(*call)) return false;
      if (!read(expression.of.emplace_back(), 0, depth + 1)) return false;
    } while (accept(","));
    return accept(")");
  }

  std::string_view m_text;
  std::size_t m_place = 0;
};

} // namespace

std::size_t operandsOf(Op op) {
  if (op <= Op::Name) return 0;
  if (op == Op::Not) return 1;
  return op == Op::Select ? 3 : 2;
}

std::optional<Op> callNamed(std::string_view name) {
  const auto *at = std::ranges::find(kCalls, name, &Call::name);
  return at == kCalls.end() ? std::nullopt : std::optional(at->op);
}

const Infix *infixOf(std::string_view symbol) {
  const auto *at = std::ranges::find(kInfixes, symbol, &Infix::symbol);
  return at == kInfixes.end() ? nullptr : at;
}

std::optional<bool> isCondition(const SizeExpression &expression) {
  return conditionAt(expression, 0);
}

std::optional<std::int64_t>
valueOf(const SizeExpression &expression,
        const std::function<std::optional<std::int64_t>(const std::string &)> &known) {
  if (expression.op == Op::Number) return expression.number;
  if (expression.op == Op::Name) return known(expression.name);
  std::vector<std::int64_t> operands;
  for (const SizeExpression &operand : expression.of) {
    const auto value = valueOf(operand, known);
    if (!value) return std::nullopt;
    operands.push_back(*value);
  }
  const std::int64_t value = applied(expression.op, operands);
  const bool fits = value >= std::numeric_limits<std::int32_t>::min() &&
                    value <= std::numeric_limits<std::int32_t>::max();
  return fits ? std::optional(value) : std::nullopt;
}

std::vector<std::string> namesIn(const SizeExpression &expression) {
  std::vector<std::string> names;
  if (expression.op == Op::Name) names.push_back(expression.name);
  for (const SizeExpression &operand : expression.of)
    std::ranges::move(namesIn(operand), std::back_inserter(names));
  return names;
}

void renameIn(SizeExpression &expression,
              const std::function<std::string(const std::string &)> &renamed) {
  if (expression.op == Op::Name) expression.name = renamed(expression.name);
  for (SizeExpression &operand : expression.of)
    renameIn(operand, renamed);
}

std::string textOf(const SizeExpression &expression, const SizeSpelling &spelling,
                   const std::function<std::string(const std::string &)> &name) {
  return Writer(spelling, name).text(expression);
}

std::string textOf(const SizeExpression &expression) { return textOf(expression, {}, quotedName); }

Result<SizeExpression> sizeExpressionFrom(std::string_view text) { return Reader(text).run(); }

} // namespace tessera::schedule
