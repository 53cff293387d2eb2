// SPDX-License-Identifier: MIT
#include "engine/halide/compile/reference_definitions.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;
using Halide::Expr;

bool isReadOf(const ir::Call *call, const std::string &func) {
  return call->call_type == ir::Call::Halide && call->name == func;
}

// The reads of the elements of a func, one of each element and place.
class CollectOwnReads : public ir::IRGraphVisitor {
public:
  explicit CollectOwnReads(std::string func) : m_func(std::move(func)) {}
  std::vector<Expr> reads;

private:
  using IRGraphVisitor::visit;
  void visit(const ir::Call *op) override {
    IRGraphVisitor::visit(op);
    if (!isReadOf(op, m_func)) return;
    for (const Expr &read : reads)
      if (ir::equal(read, op)) return;
    reads.emplace_back(op);
  }

  const std::string m_func;
};

// A condition on a loop of the update that is never true, which Halide does not see through: a
// number times the next one is even. Undefined if the update has no loop.
Expr neverTrue(const ir::Definition &update) {
  Expr loop;
  for (const ir::ReductionVariable &variable : update.schedule().rvars())
    loop = ir::Variable::make(Halide::Int(32), variable.var);
  for (const Expr &arg : update.args())
    if (arg.as<ir::Variable>()) loop = arg;
  return loop.defined() ? (loop * loop + loop) % 2 != 0 : Expr();
}

// The elements of a func that an expression reads: those that Halide 21 sees, and all.
class FindOwnReads : public ir::IRVisitor {
public:
  explicit FindOwnReads(std::string func) : m_func(std::move(func)) {}
  std::set<int> seen, all;

private:
  using IRVisitor::visit;
  void visit(const ir::Call *op) override {
    if (isReadOf(op, m_func)) {
      all.insert(op->value_index);
      if (m_calls == 0) seen.insert(op->value_index);
    }
    ++m_calls;
    IRVisitor::visit(op);
    --m_calls;
  }

  const std::string m_func;
  int m_calls = 0; // calls around this expression
};

class ExactReciprocals : public ir::IRMutator {
  using IRMutator::visit;
  Expr visit(const ir::Call *op) override {
    if (op->name == "fast_inverse_f32") return 1.0f / mutate(op->args[0]);
    if (op->name == "fast_inverse_sqrt_f32") return 1.0f / Halide::sqrt(mutate(op->args[0]));
    return IRMutator::visit(op);
  }
};

bool isShift(const ir::Call *op) {
  return op->is_intrinsic(ir::Call::shift_left) || op->is_intrinsic(ir::Call::shift_right);
}

// Whether the amount of a shift may reach the number of bits, in either direction.
bool mayBeWide(const ir::Call *shift) {
  const ir::ConstantInterval amount = ir::constant_integer_bounds(shift->args[1]);
  const std::int64_t bits = shift->type.bits();
  return !(amount > -bits && amount < bits);
}

class FindWideShifts : public ir::IRGraphVisitor {
public:
  bool found = false;

private:
  using IRGraphVisitor::visit;
  void visit(const ir::Call *op) override {
    found = found || (isShift(op) && mayBeWide(op));
    IRGraphVisitor::visit(op);
  }
};

class WideShifts : public ir::IRGraphMutator {
  using IRGraphMutator::visit;
  Expr visit(const ir::Call *op) override {
    const Expr mutated = IRGraphMutator::visit(op);
    const auto *shift = mutated.as<ir::Call>();
    if (!shift || !isShift(shift) || !mayBeWide(shift)) return mutated;
    const Expr value = shift->args[0], by = shift->args[1];
    const Expr bits = ir::make_const(by.type(), value.type().bits());
    const Expr isBack = by.type().is_int() ? by <= -bits : ir::const_false();
    const bool left = op->is_intrinsic(ir::Call::shift_left);
    const Expr zero = ir::make_zero(value.type());
    const Expr sign = value.type().is_int()
                          ? Halide::select(value < zero, ir::make_const(value.type(), -1), zero)
                          : zero;
    return Halide::select(by >= bits, left ? zero : sign, isBack, left ? sign : zero, mutated);
  }
};

// Each loop variable of a reduction becomes that of the opposite iteration.
class RunBackwards : public ir::IRMutator {
public:
  explicit RunBackwards(const std::vector<ir::ReductionVariable> &variables) {
    for (const ir::ReductionVariable &variable : variables)
      m_last.emplace(variable.var, 2 * variable.min + variable.extent - 1);
  }

private:
  using IRMutator::visit;
  Expr visit(const ir::Variable *op) override {
    const auto last = m_last.find(op->name);
    return last == m_last.end() ? Expr(op) : last->second - Expr(op);
  }
  std::map<std::string, Expr> m_last; // the sum of the first and the last iteration
};

// Whether the update gives the same in every order of its iterations, but for rounding.
bool mayReverse(const ir::Function &function, const ir::Definition &update) {
  for (const Expr &value : update.values())
    if (ir::is_undef(value)) return false;
  const ir::AssociativeOp found =
      ir::prove_associativity(function.name(), update.args(), update.values());
  return found.associative() && found.commutative();
}

} // namespace

void showOwnReads(ir::Function function) {
  for (std::size_t u = 0; u < function.updates().size(); ++u) {
    ir::Definition update = function.update(static_cast<int>(u));
    const Expr never = neverTrue(update);
    if (!never.defined()) continue;
    for (std::size_t i = 1; i < update.values().size(); ++i) {
      Expr &value = update.values()[i];
      CollectOwnReads found(function.name());
      ir::substitute_in_all_lets(value).accept(&found);
      for (const Expr &read : found.reads)
        if (read.as<ir::Call>()->value_index < static_cast<int>(i))
          value = Halide::select(never, Halide::cast(value.type(), read), value);
    }
  }
}

bool hidesOwnReads(const ir::Function &function) {
  for (const ir::Definition &update : function.updates())
    for (std::size_t i = 1; i < update.values().size(); ++i) {
      FindOwnReads reads(function.name());
      update.values()[i].accept(&reads);
      for (const int element : reads.all)
        if (element < static_cast<int>(i) && !reads.seen.count(element)) return true;
    }
  return false;
}

void makeShiftsWide(ir::Function function) {
  WideShifts wide;
  function.mutate(&wide);
}

bool mayShiftWide(const ir::Function &function) {
  FindWideShifts shifts;
  function.accept(&shifts);
  return shifts.found;
}

void makeReciprocalsExact(ir::Function function) {
  ExactReciprocals exact;
  function.mutate(&exact);
}

void reverseSums(ir::Function function) {
  for (std::size_t u = 0; u < function.updates().size(); ++u) {
    ir::Definition update = function.update(static_cast<int>(u));
    const std::vector<ir::ReductionVariable> &variables = update.schedule().rvars();
    if (variables.empty() || !mayReverse(function, update)) continue;
    RunBackwards backwards(variables);
    for (Expr &arg : update.args())
      arg = backwards.mutate(arg);
    for (Expr &value : update.values())
      value = backwards.mutate(value);
    update.predicate() = backwards.mutate(update.predicate());
  }
}

} // namespace tessera::halide
