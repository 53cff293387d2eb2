// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/evaluator.h"

#include "engine/halide/lowered/access.h"
#include "engine/halide/lowered/arithmetic.h"
#include "engine/halide/lowered/host_calls.h"
#include "engine/halide/lowered/intrinsics.h"
#include "engine/halide/lowered/warp.h"

#include <sstream>

namespace tessera::halide::lowered {

namespace {

using Halide::Expr;
namespace ir = Halide::Internal;

[[noreturn]] void refuse(const std::string &what) {
  throw Stopped{Stopped::Why::NotUnderstood, "it does not know " + what};
}

std::string textOf(const Expr &e) {
  std::ostringstream text;
  text << e;
  return text.str().substr(0, 200);
}

} // namespace

ValuePtr Evaluator::evaluate(const Expr &e) {
  if (const auto *name = e.as<ir::Variable>()) // shared, since it is only read
    if (const ValuePtr *value = m_state.variables.find(name->name)) return *value;
  auto value = std::make_shared<const Value>(compute(e));
  constexpr std::uint64_t kEach = 16; // what an operation costs beside its numbers
  m_state.spend(kEach + value->words.size());
  return value;
}

std::int64_t Evaluator::number(const Expr &e) { return evaluate(e)->words[0].i; }

std::vector<ValuePtr> Evaluator::all(const std::vector<Expr> &expressions) {
  std::vector<ValuePtr> values;
  for (const Expr &e : expressions)
    values.push_back(evaluate(e));
  return values;
}

Value Evaluator::compute(const Expr &e) {
  switch (e.get()->node_type) {
  case ir::IRNodeType::IntImm:
    return Value::ofInteger(e.type(), e.as<ir::IntImm>()->value);
  case ir::IRNodeType::UIntImm:
    return Value::ofInteger(e.type(), static_cast<std::int64_t>(e.as<ir::UIntImm>()->value));
  case ir::IRNodeType::FloatImm:
    return Value::ofFloat(e.type(), e.as<ir::FloatImm>()->value);
  case ir::IRNodeType::StringImm:
    return pointer(e.type());
  case ir::IRNodeType::Variable:
    return variable(*e.as<ir::Variable>());
  case ir::IRNodeType::Cast:
    return converted(e.type(), *evaluate(e.as<ir::Cast>()->value));
  case ir::IRNodeType::Reinterpret:
    return reinterpreted(e.type(), *evaluate(e.as<ir::Reinterpret>()->value));
  case ir::IRNodeType::Not:
    return negation(*evaluate(e.as<ir::Not>()->a));
  case ir::IRNodeType::Select: {
    const auto *op = e.as<ir::Select>();
    return chosen(*evaluate(op->condition), *evaluate(op->true_value), *evaluate(op->false_value));
  }
  case ir::IRNodeType::Let:
    return bound(*e.as<ir::Let>());
  case ir::IRNodeType::Load:
    return loaded(*e.as<ir::Load>());
  case ir::IRNodeType::Call:
    return call(*e.as<ir::Call>());
  case ir::IRNodeType::Ramp:
  case ir::IRNodeType::Broadcast:
  case ir::IRNodeType::Shuffle:
  case ir::IRNodeType::VectorReduce:
    return vectors(e);
  default:
    return twoSided(e);
  }
}

Value Evaluator::twoSided(const Expr &e) {
#define TESSERA_TWO_SIDED(Node)                                                                    \
  case ir::IRNodeType::Node:                                                                       \
    return binary(Binary::Node, *evaluate(e.as<ir::Node>()->a), *evaluate(e.as<ir::Node>()->b))
  switch (e.get()->node_type) {
    TESSERA_TWO_SIDED(Add);
    TESSERA_TWO_SIDED(Sub);
    TESSERA_TWO_SIDED(Mul);
    TESSERA_TWO_SIDED(Div);
    TESSERA_TWO_SIDED(Mod);
    TESSERA_TWO_SIDED(Min);
    TESSERA_TWO_SIDED(Max);
    TESSERA_TWO_SIDED(EQ);
    TESSERA_TWO_SIDED(NE);
    TESSERA_TWO_SIDED(LT);
    TESSERA_TWO_SIDED(LE);
    TESSERA_TWO_SIDED(GT);
    TESSERA_TWO_SIDED(GE);
    TESSERA_TWO_SIDED(And);
    TESSERA_TWO_SIDED(Or);
  default:
    refuse("the expression " + textOf(e));
  }
#undef TESSERA_TWO_SIDED
}

Value Evaluator::vectors(const Expr &e) {
  if (const auto *op = e.as<ir::Ramp>())
    return ramp(*evaluate(op->base), *evaluate(op->stride), op->lanes);
  if (const auto *op = e.as<ir::Broadcast>()) return repeated(*evaluate(op->value), op->lanes);
  if (const auto *op = e.as<ir::Shuffle>()) return shuffled(all(op->vectors), op->indices);
  const auto *op = e.as<ir::VectorReduce>();
  if (op->op == ir::VectorReduce::SaturatingAdd) refuse("sums of vectors that saturate");
  return reduced(op->op, *evaluate(op->value), op->type.lanes());
}

Value Evaluator::variable(const ir::Variable &op) const {
  if (const ValuePtr *value = m_state.variables.find(op.name)) return **value;
  if (op.type.is_handle()) return pointer(op.type);
  refuse("the variable " + op.name);
}

Value Evaluator::bound(const ir::Let &op) {
  m_state.variables.push(op.name, evaluate(op.value));
  Value body = *evaluate(op.body);
  m_state.variables.pop(op.name);
  return body;
}

Value Evaluator::loaded(const ir::Load &op) {
  const ValuePtr index = evaluate(op.index);
  const bool isWhole = ir::is_const_one(op.predicate);
  return load(m_state, op, index, isWhole ? nullptr : evaluate(op.predicate));
}

Value Evaluator::call(const ir::Call &op) {
  if (op.is_intrinsic({ir::Call::if_then_else})) return conditional(op);
  if (op.is_intrinsic({ir::Call::require})) return required(op);
  if (op.is_intrinsic({ir::Call::dynamic_shuffle})) return swapped(op);
  if (const auto value = hostCall(op, m_state.buffers, *this)) return *value;
  if (isWarpShuffle(op.name)) return warpShuffle(m_state, op, all(op.args));
  if (const PureCall pure = pureCall(op.name)) return pure(op.type, all(op.args));
  if (op.is_intrinsic({ir::Call::concat_bits, ir::Call::extract_bits})) {
    const bool isJoining = op.is_intrinsic(ir::Call::concat_bits);
    return *evaluate(isJoining ? ir::lower_concat_bits(&op) : ir::lower_extract_bits(&op));
  }
  refuse("the call " + textOf(Expr(&op)));
}

Value Evaluator::within(const Grid &grid, const Expr &e) {
  const Grid before = m_state.grid;
  m_state.grid = grid;
  Value value = *evaluate(e);
  m_state.grid = before;
  return value;
}

// Only the side that is chosen is computed.
Value Evaluator::conditional(const ir::Call &op) {
  const ValuePtr condition = evaluate(op.args[0]);
  if (condition->lanes() > 1) return laneByLane(op, *condition);
  const Grid yes = m_state.grid.where(*condition, true), no = m_state.grid.where(*condition, false);
  const bool anyYes = yes.anyActive(), anyNo = no.anyActive() && op.args.size() > 2;
  if (anyYes && !anyNo) return within(yes, op.args[1]);
  if (anyNo && !anyYes) return within(no, op.args[2]);
  if (!anyNo && !anyYes) return Value(op.type, 1);
  return chosen(*condition, within(yes, op.args[1]), within(no, op.args[2]));
}

Value Evaluator::laneByLane(const ir::Call &op, const Value &condition) {
  const bool before = m_state.isLenient;
  m_state.isLenient = true;
  const ValuePtr yes = evaluate(op.args[1]);
  const ValuePtr no =
      op.args.size() > 2 ? evaluate(op.args[2]) : std::make_shared<const Value>(op.type, 1);
  m_state.isLenient = before;
  return chosen(condition, *yes, *no);
}

Value Evaluator::required(const ir::Call &op) {
  const ValuePtr condition = evaluate(op.args[0]);
  for (std::size_t thread = 0; thread < condition->threads; ++thread) {
    const std::size_t first = thread * (m_state.grid.threads / condition->threads);
    if (condition->words[thread].i != 0 || !m_state.grid.isActive(first)) continue;
    m_state.findings.add(FindingKind::FailedCheck, m_state.kernelName(), "", [&] {
      return m_state.grid.nameOf(first) + " fails " + textOf(op.args[0]);
    });
  }
  return *evaluate(op.args[1]);
}

// A vector whose lanes are chosen by those of another.
Value Evaluator::swapped(const ir::Call &op) {
  const std::uint32_t threads = m_state.grid.threads;
  const ValuePtr table = spread(evaluate(op.args[0]), threads);
  const ValuePtr lanes = spread(evaluate(op.args[1]), threads);
  Value result(op.type, threads);
  for (std::size_t word = 0; word < result.words.size(); ++word) {
    const auto lane = static_cast<std::uint64_t>(lanes->words[word].i);
    const std::size_t thread = word / result.lanes();
    if (lane < table->lanes()) result.words[word] = table->words[thread * table->lanes() + lane];
  }
  return result;
}

} // namespace tessera::halide::lowered
