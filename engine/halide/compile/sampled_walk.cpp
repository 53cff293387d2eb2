// SPDX-License-Identifier: MIT
#include "engine/halide/compile/sampled_walk.h"

#include <algorithm>
#include <cmath>

namespace tessera::halide {

namespace {

using Halide::Expr;
namespace ir = Halide::Internal;

// The position of a sample in a loop, from 0 (begin) to 1 (end). Each loop takes the kSamples
// evenly spaced positions in an order of its own, so that the positions of two loops are not
// correlated. This is a rank-1 lattice: because its steps are powers of one odd number, the samples
// are also spread evenly over several loops together.
double place(int loop, std::size_t sample) {
  constexpr std::uint64_t kGenerator = 77;
  std::uint64_t step = 1;
  for (int i = 0; i < loop; ++i)
    step = step * kGenerator % kSamples;
  return (static_cast<double>(sample * step % kSamples) + 0.5) / kSamples;
}

// A product that saturates instead of overflowing. It would overflow for sizes of allocations that
// are too large to exist.
std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? INT64_MAX / 4 : result;
}

bool isIndex(const Halide::Type &type) {
  return type.is_scalar() && (type.is_int() || type.is_uint() || type.is_bool());
}

// Halide clamps some bounds as floats. Their values are whole numbers, and the operations listed
// here keep them whole.
bool isWhole(const Expr &e) {
  if (!e.type().is_scalar() || !e.type().is_float()) return false;
  switch (e.get()->node_type) {
  case ir::IRNodeType::Cast:
    return isIndex(e.as<ir::Cast>()->value.type());
  case ir::IRNodeType::FloatImm: {
    constexpr double kExact = 1e15; // not every float above this is exact
    const double value = e.as<ir::FloatImm>()->value;
    return std::abs(value) < kExact && std::floor(value) == value;
  }
  case ir::IRNodeType::Add:
  case ir::IRNodeType::Sub:
  case ir::IRNodeType::Mul:
  case ir::IRNodeType::Min:
  case ir::IRNodeType::Max:
  case ir::IRNodeType::Let:
  case ir::IRNodeType::Variable: // only whole numbers are known as values of variables
    return true;
  default:
    return false;
  }
}

} // namespace

Sampled Sampled::constant(std::int64_t value) {
  Sampled result;
  result.known = true;
  result.at.fill(value);
  return result;
}

SampledWalk::SampledWalk(std::map<std::string, std::int64_t> given) : m_given(std::move(given)) {
  m_weights.fill(1);
}

double SampledWalk::timesReached() const {
  double sum = 0;
  for (const double weight : m_weights)
    sum += weight;
  return sum / kSamples;
}

template <typename Op>
Sampled SampledWalk::combine(const Expr &a, const Expr &b, Op op) {
  Sampled left = evaluate(a);
  if (!left.known) return left;
  const Sampled right = evaluate(b);
  if (!right.known) return right;
  for (std::size_t i = 0; i < kSamples; ++i)
    left.at[i] = op(left.at[i], right.at[i]);
  return left;
}

Sampled SampledWalk::evaluate(const Expr &e) {
  if (!e.defined() || (!isIndex(e.type()) && !isWhole(e))) return {};
  if (const auto value = ir::as_const_int(e)) return Sampled::constant(*value);
  if (const auto value = ir::as_const_uint(e))
    return Sampled::constant(static_cast<std::int64_t>(*value));
  if (const auto *value = e.as<ir::FloatImm>())
    return Sampled::constant(static_cast<std::int64_t>(value->value));
  using Int = std::int64_t;
#define TESSERA_BINARY(Node, Value)                                                                \
  case ir::IRNodeType::Node:                                                                       \
    return combine(e.as<ir::Node>()->a, e.as<ir::Node>()->b,                                       \
                   [](Int a, Int b) -> Int { return Value; })
  switch (e.get()->node_type) {
    TESSERA_BINARY(Add, a + b);
    TESSERA_BINARY(Sub, a - b);
    TESSERA_BINARY(Mul, product(a, b));
    TESSERA_BINARY(Div, ir::div_imp(a, b));
    TESSERA_BINARY(Mod, ir::mod_imp(a, b));
    TESSERA_BINARY(Min, std::min(a, b));
    TESSERA_BINARY(Max, std::max(a, b));
    TESSERA_BINARY(EQ, a == b);
    TESSERA_BINARY(NE, a != b);
    TESSERA_BINARY(LT, a < b);
    TESSERA_BINARY(LE, a <= b);
    TESSERA_BINARY(GT, a > b);
    TESSERA_BINARY(GE, a >= b);
    TESSERA_BINARY(And, a && b);
    TESSERA_BINARY(Or, a || b);
  case ir::IRNodeType::Not: {
    Sampled value = evaluate(e.as<ir::Not>()->a);
    for (Int &each : value.at)
      each = !each;
    return value;
  }
  case ir::IRNodeType::Variable:
    return valueOf(e.as<ir::Variable>()->name);
  case ir::IRNodeType::Cast:
    return evaluate(e.as<ir::Cast>()->value);
  case ir::IRNodeType::Load: {
    const auto at = m_largest.find(e.as<ir::Load>()->name);
    return at == m_largest.end() ? Sampled{} : Sampled::constant(at->second);
  }
  case ir::IRNodeType::Select:
    return choose(e.as<ir::Select>());
  case ir::IRNodeType::Let: // common in the sizes of buffers that several kernels read
    return bind(e.as<ir::Let>());
  case ir::IRNodeType::Call:
    return e.as<ir::Call>()->is_tag() ? evaluate(e.as<ir::Call>()->args[0]) : Sampled{};
  default:
    return {};
  }
#undef TESSERA_BINARY
}

Sampled SampledWalk::valueOf(const std::string &name) const {
  if (const auto given = m_given.find(name); given != m_given.end())
    return Sampled::constant(given->second);
  const auto at = m_values.find(name);
  return at == m_values.end() || at->second.empty() ? Sampled{} : at->second.back();
}

Sampled SampledWalk::bind(const ir::Let *op) {
  m_values[op->name].push_back(evaluate(op->value));
  Sampled body = evaluate(op->body);
  m_values[op->name].pop_back();
  return body;
}

Sampled SampledWalk::choose(const ir::Select *op) {
  const Sampled condition = evaluate(op->condition);
  if (!condition.known) return {};
  Sampled yes = evaluate(op->true_value);
  const Sampled no = evaluate(op->false_value);
  if (!yes.known || !no.known) return {};
  for (std::size_t i = 0; i < kSamples; ++i)
    if (!condition.at[i]) yes.at[i] = no.at[i];
  return yes;
}

template <typename Node>
void SampledWalk::visitLet(const Node *op) {
  op->value.accept(this);
  std::vector<Sampled> &values = m_values[op->name];
  values.push_back(evaluate(op->value));
  op->body.accept(this);
  m_values[op->name].pop_back();
}

void SampledWalk::visit(const ir::LetStmt *op) { visitLet(op); }
void SampledWalk::visit(const ir::Let *op) { visitLet(op); }

void SampledWalk::visit(const ir::For *op) {
  const Sampled min = evaluate(op->min), extent = evaluate(op->extent);
  const Weights before = m_weights;
  Sampled variable;
  variable.known = min.known && extent.known;
  for (std::size_t i = 0; i < kSamples && extent.known; ++i) {
    const double steps = static_cast<double>(std::max<std::int64_t>(extent.at[i], 0));
    m_weights[i] *= steps;
    variable.at[i] = min.at[i] + static_cast<std::int64_t>(place(m_depth, i) * steps);
  }
  m_values[op->name].push_back(variable);
  ++m_depth;
  enter(op);
  op->body.accept(this);
  leave(op);
  --m_depth;
  m_values[op->name].pop_back();
  m_weights = before;
}

void SampledWalk::visit(const ir::Store *op) {
  IRVisitor::visit(op);
  if (!op->name.ends_with(".shared_size")) return;
  const Sampled value = evaluate(op->value);
  if (value.known) m_largest[op->name] = *std::max_element(value.at.begin(), value.at.end());
}

void SampledWalk::visit(const ir::IfThenElse *op) {
  op->condition.accept(this);
  const Sampled condition = evaluate(op->condition);
  const Weights before = m_weights;
  for (const bool wanted : {true, false}) {
    const Halide::Internal::Stmt &branch = wanted ? op->then_case : op->else_case;
    if (!branch.defined()) continue;
    for (std::size_t i = 0; i < kSamples && condition.known; ++i)
      if ((condition.at[i] != 0) != wanted) m_weights[i] = 0;
    branch.accept(this);
    m_weights = before;
  }
}

} // namespace tessera::halide
