// SPDX-License-Identifier: MIT
#include "engine/halide/size_expressions.h"

#include <array>
#include <utility>
#include <vector>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;
using schedule::SizeExpression;
using Op = SizeExpression::Op;

constexpr std::array<const char *, 3> kSizes{"min", "extent", "stride"};

// Reads Halide's expression; `fits` is false where it has something else.
class SizeReader : public ir::IRVisitor {
public:
  SizeExpression read(const Halide::Expr &expr, int depth = 0) {
    SizeReader operand;
    operand.m_depth = depth;
    operand.m_fits = m_fits && depth <= schedule::kDeepestExpression;
    if (operand.m_fits) expr.accept(&operand);
    m_fits = operand.m_fits && operand.m_isRead;
    return std::move(operand.m_read);
  }
  bool fits() const { return m_fits; }

private:
  using IRVisitor::visit;

  template <typename... Operands>
  void set(Op op, const Operands &...operands) {
    m_isRead = true;
    m_read.op = op;
    (m_read.of.push_back(read(operands, m_depth + 1)), ...);
  }

  void visit(const ir::IntImm *op) override {
    m_isRead = op->type == Halide::Int(32);
    m_read = SizeExpression::ofNumber(op->value);
  }
  void visit(const ir::Variable *op) override {
    m_isRead = op->type == Halide::Int(32) && op->param.defined();
    m_read = SizeExpression::ofName(op->name);
  }
  void visit(const ir::Add *op) override { set(Op::Add, op->a, op->b); }
  void visit(const ir::Sub *op) override { set(Op::Sub, op->a, op->b); }
  void visit(const ir::Mul *op) override { set(Op::Mul, op->a, op->b); }
  void visit(const ir::Div *op) override { set(Op::Div, op->a, op->b); }
  void visit(const ir::Mod *op) override { set(Op::Mod, op->a, op->b); }
  void visit(const ir::Min *op) override { set(Op::Min, op->a, op->b); }
  void visit(const ir::Max *op) override { set(Op::Max, op->a, op->b); }
  void visit(const ir::EQ *op) override { set(Op::Equal, op->a, op->b); }
  void visit(const ir::NE *op) override { set(Op::NotEqual, op->a, op->b); }
  void visit(const ir::LT *op) override { set(Op::Less, op->a, op->b); }
  void visit(const ir::LE *op) override { set(Op::LessEqual, op->a, op->b); }
  void visit(const ir::GT *op) override { set(Op::Greater, op->a, op->b); }
  void visit(const ir::GE *op) override { set(Op::GreaterEqual, op->a, op->b); }
  void visit(const ir::And *op) override { set(Op::And, op->a, op->b); }
  void visit(const ir::Or *op) override { set(Op::Or, op->a, op->b); }
  void visit(const ir::Not *op) override { set(Op::Not, op->a); }
  void visit(const ir::Select *op) override {
    set(Op::Select, op->condition, op->true_value, op->false_value);
  }
  // The other nodes of expressions, which would be read as their operands are.
  void visit(const ir::Cast *) override { m_fits = false; }
  void visit(const ir::Reinterpret *) override { m_fits = false; }
  void visit(const ir::Call *) override { m_fits = false; }
  void visit(const ir::Load *) override { m_fits = false; }
  void visit(const ir::Let *) override { m_fits = false; }
  void visit(const ir::Ramp *) override { m_fits = false; }
  void visit(const ir::Broadcast *) override { m_fits = false; }
  void visit(const ir::Shuffle *) override { m_fits = false; }
  void visit(const ir::VectorReduce *) override { m_fits = false; }

  SizeExpression m_read;
  bool m_fits = true, m_isRead = false;
  int m_depth = 0;
};

Halide::Expr operation(Op op, const std::vector<Halide::Expr> &of) {
  switch (op) {
  case Op::Add:
    return of[0] + of[1];
  case Op::Sub:
    return of[0] - of[1];
  case Op::Mul:
    return of[0] * of[1];
  case Op::Div:
    return of[0] / of[1];
  case Op::Mod:
    return of[0] % of[1];
  case Op::Min:
    return Halide::min(of[0], of[1]);
  case Op::Max:
    return Halide::max(of[0], of[1]);
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
    return Halide::select(of[0], of[1], of[2]);
  case Op::Number:
  case Op::Name:
    break;
  }
  return {};
}

} // namespace

std::optional<SizeExpression> sizeExpressionOf(const Halide::Expr &expr) {
  SizeReader reader;
  SizeExpression read = reader.read(ir::simplify(expr));
  const bool fits = reader.fits() && read.op != Op::Number && schedule::isCondition(read);
  return fits ? std::optional(std::move(read)) : std::nullopt;
}

PipelineSizes::PipelineSizes(const Halide::Pipeline &pipeline) {
  std::vector<ir::Function> outputs;
  for (const Halide::Func &output : pipeline.outputs()) {
    outputs.push_back(output.function());
    for (const Halide::Parameter &buffer : outputs.back().output_buffers())
      m_parameters.emplace(buffer.name(), buffer);
  }
  for (const ir::InferredArgument &input : ir::infer_arguments(ir::Stmt(), outputs))
    if (input.param.defined()) m_parameters.emplace(input.arg.name, input.param);
}

PipelineSizes PipelineSizes::ofInputs(std::map<std::string, Halide::Parameter> inputs) {
  PipelineSizes sizes;
  sizes.m_parameters = std::move(inputs);
  sizes.m_knowsOutputs = false;
  return sizes;
}

Result<Halide::Expr> PipelineSizes::variable(const std::string &name) const {
  for (const auto &[buffer, parameter] : m_parameters) {
    if (!parameter.is_buffer()) {
      if (buffer == name && parameter.type() == Halide::Int(32))
        return Halide::Expr(ir::Variable::make(Halide::Int(32), name, parameter));
      continue;
    }
    if (!name.starts_with(buffer + ".")) continue;
    for (int dim = 0; dim < parameter.dimensions(); ++dim)
      for (const char *const size : kSizes)
        if (name == buffer + "." + size + "." + std::to_string(dim))
          return Halide::Expr(ir::Variable::make(Halide::Int(32), name, parameter));
  }
  if (!m_knowsOutputs) return Halide::Expr(ir::Variable::make(Halide::Int(32), name));
  return Error{ErrorCode::InputRefused,
               "'" + name + "' is no size of an input or output of the pipeline, and no scalar",
               "Sizes are called as in input.extent.0."};
}

Result<Halide::Expr> PipelineSizes::expr(const SizeExpression &expression) const {
  if (expression.op == Op::Number) return Halide::Expr(static_cast<int>(expression.number));
  if (expression.op == Op::Name) return variable(expression.name);
  std::vector<Halide::Expr> operands;
  for (const SizeExpression &operand : expression.of) {
    auto made = expr(operand);
    if (!made) return made;
    operands.push_back(std::move(*made));
  }
  return operation(expression.op, operands);
}

} // namespace tessera::halide
