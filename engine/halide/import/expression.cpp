// SPDX-License-Identifier: MIT
#include "engine/halide/import/expression.h"

#include "engine/halide/import/operations.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tessera::halide {

namespace {

using Halide::Expr;
using Halide::Internal::Call;
using pipeline::NodeKind;
namespace ir = Halide::Internal;

bool isStaged(const Graph &graph, const std::string &input) {
  const auto found = graph.inputIndex.find(input);
  return found != graph.inputIndex.end() && !graph.inputs[found->second].stagingFunc.empty();
}

class CountNodes : public ir::IRVisitor {
public:
  CountNodes(const Graph &graph, const std::string &own) : m_graph(graph), m_own(own) {}

  std::vector<pipeline::NodeCount> counts() const {
    std::vector<pipeline::NodeCount> counts;
    for (const auto &[key, n] : m_counts) {
      const auto &[kind, typeKind, bits] = key;
      counts.push_back({kind, {typeKind, bits}, n});
    }
    return counts;
  }

private:
  using IRVisitor::visit;

  void add(NodeKind kind, const Halide::Type &type) {
    const pipeline::ScalarType scalar = toScalarType(type);
    ++m_counts[{kind, scalar.kind, scalar.bits}];
  }

#define TESSERA_NODE(Node, Kind)                                                                   \
  void visit(const ir::Node *op) override {                                                        \
    add(NodeKind::Kind, op->type);                                                                 \
    IRVisitor::visit(op);                                                                          \
  }
  TESSERA_NODE(IntImm, Constant)
  TESSERA_NODE(UIntImm, Constant)
  TESSERA_NODE(FloatImm, Constant)
  TESSERA_NODE(Cast, Cast)
  TESSERA_NODE(Add, Add)
  TESSERA_NODE(Sub, Subtract)
  TESSERA_NODE(Mod, Modulo)
  TESSERA_NODE(Mul, Multiply)
  TESSERA_NODE(Div, Divide)
  TESSERA_NODE(Min, Min)
  TESSERA_NODE(Max, Max)
  TESSERA_NODE(EQ, Equal)
  TESSERA_NODE(NE, NotEqual)
  TESSERA_NODE(LT, Less)
  TESSERA_NODE(GT, Less)
  TESSERA_NODE(LE, LessOrEqual)
  TESSERA_NODE(GE, LessOrEqual)
  TESSERA_NODE(And, And)
  TESSERA_NODE(Or, Or)
  TESSERA_NODE(Not, Not)
  TESSERA_NODE(Select, Select)
  TESSERA_NODE(Let, Let)
#undef TESSERA_NODE

  void visit(const ir::Variable *op) override {
    add(op->param.defined() ? NodeKind::Parameter : NodeKind::Variable, op->type);
  }

  void visit(const Call *call) override {
    if (call->call_type == Call::Halide)
      add(call->name == m_own ? NodeKind::SelfCall : NodeKind::FuncCall, call->type);
    else if (call->call_type == Call::Image)
      add(isStaged(m_graph, call->name) ? NodeKind::FuncCall : NodeKind::InputCall, call->type);
    else
      add(NodeKind::OtherCall, call->type);
    IRVisitor::visit(call);
  }

  const Graph &m_graph;
  const std::string &m_own;
  std::map<std::tuple<NodeKind, pipeline::TypeKind, std::uint8_t>, std::uint32_t> m_counts;
};

// The Strahler number of an expression: 1 for a leaf; an inner node has that of its largest
// operand, and one more if two operands are equally large.
class Branching : public ir::IRVisitor {
public:
  std::uint32_t of(const Expr &expr) {
    m_number = 0;
    expr.accept(this);
    return m_number;
  }
  std::uint32_t ofAll(const std::vector<Expr> &operands) {
    std::uint32_t number = 0;
    for (const Expr &operand : operands)
      number = joined(number, of(operand));
    return number;
  }

private:
  using IRVisitor::visit;

  // An operand without a value, such as a call without arguments, takes no room.
  static std::uint32_t joined(std::uint32_t a, std::uint32_t b) {
    return a == b && b > 0 ? a + 1 : std::max(a, b);
  }

#define TESSERA_LEAF(Node)                                                                         \
  void visit(const ir::Node *) override { m_number = 1; }
  TESSERA_LEAF(IntImm)
  TESSERA_LEAF(UIntImm)
  TESSERA_LEAF(FloatImm)
  TESSERA_LEAF(StringImm)
  TESSERA_LEAF(Variable)
#undef TESSERA_LEAF

#define TESSERA_BINARY(Node)                                                                       \
  void visit(const ir::Node *op) override {                                                        \
    const std::uint32_t a = of(op->a);                                                             \
    m_number = joined(a, of(op->b));                                                               \
  }
  TESSERA_BINARY(Add)
  TESSERA_BINARY(Sub)
  TESSERA_BINARY(Mul)
  TESSERA_BINARY(Div)
  TESSERA_BINARY(Mod)
  TESSERA_BINARY(Min)
  TESSERA_BINARY(Max)
  TESSERA_BINARY(EQ)
  TESSERA_BINARY(NE)
  TESSERA_BINARY(LT)
  TESSERA_BINARY(LE)
  TESSERA_BINARY(GT)
  TESSERA_BINARY(GE)
  TESSERA_BINARY(And)
  TESSERA_BINARY(Or)
#undef TESSERA_BINARY

  // Both values of a select are needed after its condition, but only one of them.
  void visit(const ir::Select *op) override {
    const std::uint32_t condition = of(op->condition);
    const std::uint32_t first = joined(condition, of(op->true_value));
    m_number = std::max(first, joined(condition, of(op->false_value)));
  }
  void visit(const ir::Let *op) override {
    const std::uint32_t value = of(op->value);
    m_number = joined(value, of(op->body));
  }
  void visit(const Call *call) override { m_number = ofAll(call->args); }

  std::uint32_t m_number = 0; // of the expression that was visited last
};

// As Halide's autoschedulers look at expressions.
std::vector<Expr> simplified(std::vector<Expr> exprs) {
  for (Expr &expr : exprs)
    expr = ir::common_subexpression_elimination(ir::simplify(expr));
  return exprs;
}

} // namespace

pipeline::Expression expressionOf(const Graph &graph, const StageSource &stage) {
  const std::vector<Expr> values = simplified(stage.values), args = simplified(stage.args);
  const std::string own = graph.funcName(stage);
  CountNodes count(graph, own);
  for (const std::vector<Expr> *const exprs : {&values, &args})
    for (const Expr &expr : *exprs)
      expr.accept(&count);
  Branching branching;
  const std::uint32_t ofValues = branching.ofAll(values);
  return {count.counts(), std::max(ofValues, branching.ofAll(args))};
}

} // namespace tessera::halide
