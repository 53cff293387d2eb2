// SPDX-License-Identifier: MIT
#include "engine/halide/import/operations.h"

#include "engine/halide/import/counted_nodes.h"

#include <map>
#include <set>
#include <tuple>

namespace tessera::halide {

namespace {

using Halide::Expr;
using Halide::Internal::Call;
using pipeline::OpKind;
namespace ir = Halide::Internal;

bool isLoad(const Call *call) {
  return call->call_type == Call::Halide || call->call_type == Call::Image;
}

constexpr std::uint32_t kAnyLoop = UINT32_MAX;

// Finds the loops that an expression depends on, one bit each. A name that was passed to know()
// depends on the loops that were passed with it.
class LoopsOf {
public:
  explicit LoopsOf(const std::vector<pipeline::LoopDim> &loops) {
    for (std::size_t l = 0; l < loops.size() && l < kMostLoops; ++l)
      m_known[loops[l].name] = 1U << l;
  }

  std::uint32_t operator()(const Expr &expr) const {
    Collect collect(m_known);
    expr.accept(&collect);
    return collect.loops;
  }
  void know(const std::string &name, std::uint32_t loops) { m_known[name] = loops; }

  static constexpr std::size_t kMostLoops = 32;

private:
  using Known = std::map<std::string, std::uint32_t>;
  class Collect : public ir::IRVisitor {
  public:
    explicit Collect(const Known &known) : m_known(known) {}
    std::uint32_t loops = 0;

  private:
    using IRVisitor::visit;
    void visit(const ir::Variable *variable) override {
      const auto known = m_known.find(variable->name);
      if (known != m_known.end()) loops |= known->second;
    }
    const Known &m_known;
  };

  Known m_known;
};

// Replaces each distinct load by a variable, so that index arithmetic is not counted and equal
// loads count once.
class NameLoads : public ir::IRMutator {
public:
  NameLoads(LoopsOf &loopsOf, std::string own) : m_loopsOf(loopsOf), m_own(std::move(own)) {}
  std::map<Expr, std::string, ir::IRDeepCompare> loads;

private:
  using IRMutator::visit;
  Expr visit(const Call *call) override {
    const Expr result = IRMutator::visit(call);
    if (!isLoad(call)) return result;
    const auto [at, added] = loads.emplace(result, "load " + std::to_string(loads.size()));
    const bool isOwn = call->call_type == Call::Halide && call->name == m_own;
    if (added) m_loopsOf.know(at->second, isOwn ? kAnyLoop : m_loopsOf(result));
    return ir::Variable::make(call->type, at->second);
  }

  LoopsOf &m_loopsOf;
  const std::string m_own;
};

// Removes lets whose only uses were in indices of loads, which NameLoads has removed.
class DropDeadLets : public ir::IRMutator {
  using IRMutator::visit;
  Expr visit(const ir::Variable *variable) override {
    m_used.insert(variable->name);
    return variable;
  }
  Expr visit(const ir::Let *let) override {
    const Expr body = mutate(let->body);
    if (!m_used.count(let->name)) return body;
    return ir::Let::make(let->name, mutate(let->value), body);
  }
  std::set<std::string> m_used;
};

OpKind kindOfIntrinsic(const Call &call) {
  if (call.is_intrinsic({Call::bitwise_and, Call::bitwise_not, Call::bitwise_or, Call::bitwise_xor,
                         Call::shift_left, Call::shift_right, Call::rounding_shift_left,
                         Call::rounding_shift_right}))
    return OpKind::Logic;
  if (call.is_intrinsic({Call::abs, Call::absd})) return OpKind::MinMax;
  if (call.is_intrinsic({Call::if_then_else, Call::mux})) return OpKind::Select;
  if (call.is_intrinsic({Call::widening_add, Call::widening_sub, Call::widen_right_add,
                         Call::widen_right_sub, Call::halving_add, Call::halving_sub,
                         Call::rounding_halving_add, Call::saturating_add, Call::saturating_sub,
                         Call::strict_add, Call::strict_sub}))
    return OpKind::Add;
  if (call.is_intrinsic({Call::widening_mul, Call::widen_right_mul, Call::mul_shift_right,
                         Call::rounding_mul_shift_right, Call::strict_mul}))
    return OpKind::Multiply;
  if (call.is_intrinsic({Call::div_round_to_zero, Call::strict_div})) return OpKind::Divide;
  if (call.is_intrinsic(Call::mod_round_to_zero)) return OpKind::Modulo;
  if (call.is_intrinsic(Call::saturating_cast)) return OpKind::Cast;
  if (call.call_type == Call::PureExtern || call.call_type == Call::Extern) {
    for (const char *word :
         {"exp", "log", "pow", "sin", "cos", "tan", "sqrt", "atan", "asin", "acos", "inverse"})
      if (call.name.find(word) != std::string::npos) return OpKind::Transcendental;
  }
  return OpKind::OtherCall;
}

// Intrinsics that only annotate a value and compute nothing.
bool isTag(const Call &call) {
  return call.is_intrinsic({Call::likely, Call::likely_if_innermost, Call::promise_clamped,
                            Call::unsafe_promise_clamped, Call::return_second, Call::make_struct,
                            Call::bundle, Call::undef});
}

class Count : public ir::IRVisitor {
public:
  using Key = std::tuple<OpKind, int, int>; // operation, type kind, type bits
  using Counts = std::map<Key, std::uint32_t>;

  explicit Count(LoopsOf &loopsOf) : m_loopsOf(loopsOf) {}
  std::map<std::uint32_t, Counts> byLoops;

  static Key keyOf(OpKind kind, const Halide::Type &type) {
    const pipeline::ScalarType scalar = toScalarType(type);
    return {kind, static_cast<int>(scalar.kind), scalar.bits};
  }

private:
  using IRVisitor::visit;

  void add(OpKind kind, const Halide::Type &type, const Expr &op) {
    ++byLoops[m_loopsOf(op)][keyOf(kind, type)];
  }

  void visit(const ir::Let *let) override {
    m_loopsOf.know(let->name, m_loopsOf(let->value));
    IRVisitor::visit(let);
  }

#define TESSERA_COUNT(Node, Kind, Type)                                                            \
  void visit(const ir::Node *op) override {                                                        \
    add(OpKind::Kind, Type, op);                                                                   \
    IRVisitor::visit(op);                                                                          \
  }
  TESSERA_COUNTED_NODES(TESSERA_COUNT)
#undef TESSERA_COUNT

  // Halide computes a division by a constant without a division instruction.
  void visit(const ir::Div *op) override {
    divide(*op, OpKind::Divide);
    IRVisitor::visit(op);
  }
  void visit(const ir::Mod *op) override {
    divide(*op, OpKind::Modulo);
    IRVisitor::visit(op);
  }

  template <typename Node>
  void divide(const Node &op, OpKind kind) {
    if (!ir::is_const(op.b)) {
      add(kind, op.type, &op);
    } else if (op.type.is_float() && kind == OpKind::Divide) {
      add(OpKind::Multiply, op.type, &op); // multiplies by the reciprocal
    } else if (ir::is_const_power_of_two_integer(op.b)) {
      add(OpKind::Logic, op.type, &op);
    } else { // takes the high half of a product, then shifts; `%` also multiplies and subtracts
      add(OpKind::Multiply, op.type, &op);
      add(OpKind::Logic, op.type, &op);
      if (kind == OpKind::Modulo) add(OpKind::Multiply, op.type, &op);
      if (kind == OpKind::Modulo) add(OpKind::Add, op.type, &op);
    }
  }

  void visit(const Call *call) override {
    if (call->is_intrinsic(Call::lerp)) { // a + (b - a) * weight
      add(OpKind::Add, call->type, call);
      add(OpKind::Multiply, call->type, call);
      add(OpKind::Add, call->type, call);
    } else if (const auto kind = kindOfCall(*call)) {
      add(*kind, call->type, call);
    }
    IRVisitor::visit(call);
  }

  LoopsOf &m_loopsOf;
};

std::vector<pipeline::OpCount> listOf(const Count::Counts &counts) {
  std::vector<pipeline::OpCount> result;
  for (const auto &[key, n] : counts)
    result.push_back({std::get<0>(key),
                      {static_cast<pipeline::TypeKind>(std::get<1>(key)),
                       static_cast<std::uint8_t>(std::get<2>(key))},
                      n});
  return result;
}

} // namespace

pipeline::ScalarType toScalarType(const Halide::Type &type) {
  using pipeline::TypeKind;
  const TypeKind kind = type.is_bfloat()  ? TypeKind::BFloat
                        : type.is_float() ? TypeKind::Float
                        : type.is_uint()  ? TypeKind::UInt
                        : type.is_int()   ? TypeKind::Int
                                          : TypeKind::Handle;
  return {kind, static_cast<std::uint8_t>(type.bits())};
}

std::optional<OpKind> kindOfCall(const Call &call) {
  if (isTag(call)) return std::nullopt;
  return kindOfIntrinsic(call);
}

Operations countOperations(const StageSource &stage, const std::string &own,
                           const std::vector<pipeline::LoopDim> &loops) {
  LoopsOf loopsOf(loops);
  NameLoads nameLoads(loopsOf, own);
  std::vector<Expr> values;
  for (const Expr &value : stage.values)
    values.push_back(nameLoads.mutate(value));
  if (stage.predicate.defined()) values.push_back(nameLoads.mutate(stage.predicate));
  for (const Expr &arg : stage.args)
    nameLoads.mutate(arg); // only to register its loads

  Count count(loopsOf);
  for (Expr &value : values)
    value = DropDeadLets().mutate(value);
  const Expr all = Call::make(Halide::Int(32), Call::bundle, values, Call::PureIntrinsic);
  constexpr bool kLiftAll = true; // otherwise v*3 would count once per occurrence
  ir::common_subexpression_elimination(all, kLiftAll).accept(&count);
  Count::Counts total;
  for (const auto &[load, name] : nameLoads.loads)
    ++total[Count::keyOf(OpKind::Load, load.type())];
  for (const auto &[dependsOn, counts] : count.byLoops)
    for (const auto &[key, n] : counts)
      total[key] += n;

  Operations result{listOf(total), {}};
  if (loops.size() > LoopsOf::kMostLoops) return result;
  const auto every = static_cast<std::uint32_t>((std::uint64_t{1} << loops.size()) - 1);
  for (const auto &[dependsOn, counts] : count.byLoops)
    if ((dependsOn & every) != every) result.steady.push_back({dependsOn, listOf(counts)});
  return result;
}

} // namespace tessera::halide
