// SPDX-License-Identifier: MIT
#include "tests/engine/schedule/random_directives.h"

#include <array>

namespace tessera::schedule {

namespace {

constexpr auto kNames = std::to_array<const char *>(
    {"f",    "f$1",      "f_1",   "f_1_2",       "x",           "xi",     "r$x",      "r4$x", "int",
     "find", "pipeline", "_0",    "__outermost", "a__b",        "9lives", "\"",       "\\",   "\n",
     "a b",  "\xc3\xa4", "linux", "Func",        "named \"x\"", "*/",     "output_im"});

class RandomText {
public:
  RandomText(const Pick &pick) : m_pick(pick) {}

  std::string name() {
    std::string out = kNames[m_pick(kNames.size())];
    if (m_pick(4) == 0) out += kNames[m_pick(kNames.size())];
    return out;
  }
  LoopName loop(bool reduction) { return {name(), reduction}; }
  LoopName loop() { return loop(m_pick(3) == 0); }
  std::uint32_t stage() { return m_pick(2) ? 0 : static_cast<std::uint32_t>(m_pick(12)); }
  std::int64_t number() {
    constexpr auto kNumbers =
        std::to_array<std::int64_t>({0, 1, -1, 2, 3, 4, 8, 32, 100, INT32_MAX, -INT32_MAX});
    return kNumbers[m_pick(kNumbers.size())];
  }
  SizeExpression size(int depth) {
    using Op = SizeExpression::Op;
    const auto op = static_cast<Op>(1 + m_pick(9));
    if (depth == 0 || op == Op::Name) return SizeExpression::ofName(name());
    SizeExpression other = m_pick(2) ? size(depth - 1) : SizeExpression::ofNumber(number());
    if (op == Op::Equal)
      return {Op::Select, 0, {}, {condition(depth - 1), std::move(other), size(depth - 1)}};
    if (m_pick(2)) return {op, 0, {}, {std::move(other), size(depth - 1)}};
    return {op, 0, {}, {size(depth - 1), std::move(other)}};
  }
  SizeExpression condition(int depth) {
    using Op = SizeExpression::Op;
    const auto op = static_cast<Op>(static_cast<int>(Op::Equal) + m_pick(9));
    if (op == Op::Not && depth > 0) return {op, 0, {}, {condition(depth - 1)}};
    if (op >= Op::And && depth > 0)
      return {op, 0, {}, {condition(depth - 1), condition(depth - 1)}};
    return {
        op >= Op::And ? Op::Less : op, 0, {}, {size(depth), SizeExpression::ofNumber(number())}};
  }
  Argument argument(ParameterKind kind, std::size_t place) {
    switch (kind) {
    case ParameterKind::Loop:
      return loop();
    case ParameterKind::PureLoop:
      return loop(false);
    case ParameterKind::ReductionLoop:
      return loop(true);
    case ParameterKind::LoopPair:
      return loop(place % 2 == 0);
    case ParameterKind::Number:
      return number();
    case ParameterKind::Size:
      if (m_pick(2)) return number();
      return size(static_cast<int>(m_pick(4)));
    case ParameterKind::Condition:
      return condition(static_cast<int>(m_pick(4)));
    case ParameterKind::Flag:
      return static_cast<std::int64_t>(m_pick(2));
    case ParameterKind::Tail:
      return static_cast<Tail>(m_pick(9));
    case ParameterKind::Storage:
      return static_cast<Storage>(m_pick(5));
    case ParameterKind::Level:
      return Level{func(), stage(), loop()};
    case ParameterKind::Func:
      return FuncName{func()};
    case ParameterKind::Text:
      return Text{name()};
    }
    return number();
  }

  Directive directive() {
    const Signature &call = signatures()[m_pick(signatures().size())];
    Directive out{func(), call.ofFunc ? 0 : stage(), call.verb, {}, {}};
    if (call.verb == Verb::RFactor) ++out.stage;
    std::size_t count = call.parameters.size();
    if (call.lastRepeats) {
      const std::size_t width = call.parameters.back() == ParameterKind::LoopPair ? 2 : 1;
      count += width * (call.min + m_pick(std::min<std::size_t>(call.max, 4) - call.min + 1)) - 1;
    }
    for (std::size_t i = 0; i < count; ++i)
      out.arguments.push_back(
          argument(call.parameters[std::min(i, call.parameters.size() - 1)], i));
    if (call.makesFunc) out.makes = newFunc();
    return out;
  }

private:
  std::string func() {
    if (m_funcs.empty() || m_pick(3) == 0) m_funcs.push_back(name());
    return m_funcs[m_pick(m_funcs.size())];
  }
  std::string newFunc() {
    m_funcs.push_back(name() + "#" + std::to_string(m_funcs.size()));
    return m_funcs.back();
  }

  const Pick &m_pick;
  std::vector<std::string> m_funcs;
};

} // namespace

std::vector<Directive> randomDirectives(const Pick &pick, std::size_t count) {
  RandomText text(pick);
  std::vector<Directive> out;
  while (out.size() < count)
    out.push_back(text.directive());
  return out;
}

TextHeader randomHeader(const Pick &pick) {
  RandomText text(pick);
  TextHeader header;
  header.pipeline = pick(5) ? text.name() : "";
  header.machine = pick(2) ? text.name() : "";
  header.version = pick(2) ? text.name() : "";
  if (pick(2)) header.registerCap = static_cast<std::int32_t>(1 + pick(255));
  if (pick(2)) header.predictedMilliseconds = static_cast<double>(pick(1'000'000)) / 3e4;
  if (pick(2)) header.measuredMilliseconds = static_cast<double>(pick(1'000'000)) / 7e9;
  for (std::size_t i = pick(3); i > 0; --i)
    header.promises.push_back(text.name());
  for (std::size_t i = pick(3); i > 0; --i)
    header.notes.push_back(text.name());
  return header;
}

} // namespace tessera::schedule
