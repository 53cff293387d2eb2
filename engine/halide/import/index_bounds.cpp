// SPDX-License-Identifier: MIT
#include "engine/halide/import/index_bounds.h"

#include "engine/halide/import/inlining.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tessera::halide {

namespace {

using Halide::Internal::Call;
namespace ir = Halide::Internal;

// The funcs whose values are in an index of a load. With `everywhere`, those of all loads.
class CalledInIndices : public ir::IRVisitor {
public:
  explicit CalledInIndices(bool everywhere) : m_inIndex(everywhere) {}
  std::set<std::string> funcs;

private:
  using IRVisitor::visit;

  void visit(const Call *call) override {
    if (m_inIndex && call->call_type == Call::Halide) funcs.insert(call->name);
    const bool isLoad = call->call_type == Call::Halide || call->call_type == Call::Image;
    const bool before = std::exchange(m_inIndex, m_inIndex || isLoad);
    IRVisitor::visit(call);
    m_inIndex = before;
  }

  bool m_inIndex;
};

// Funcs whose values may become part of an index, directly or through pure funcs.
std::set<std::string> funcsInIndices(const Graph &graph) {
  CalledInIndices loads(false), all(true);
  for (const FuncSource &func : graph.funcs)
    for (const StageSource &stage : func.stages) {
      for (const Halide::Expr &e : expressionsOf(stage))
        e.accept(&loads);
      for (const Halide::Expr &argument : stage.args)
        argument.accept(&all);
    }
  all.funcs.merge(loads.funcs);
  for (std::size_t f = graph.funcs.size(); f-- > 0;) { // consumers first
    const FuncSource &func = graph.funcs[f];
    if (!func.isPure() || !all.funcs.contains(func.function.name())) continue;
    for (const Halide::Expr &value : func.stages.front().values)
      value.accept(&all);
  }
  return all.funcs;
}

// Whether Halide knows less about `left` than about `known`. Ends that no number stands for are not
// compared.
bool isVaguer(const ir::Interval &left, const ir::Interval &known) {
  const auto isLess = [](const Halide::Expr &a, const Halide::Expr &b) {
    const auto one = ir::as_const_int(ir::simplify(a)), other = ir::as_const_int(ir::simplify(b));
    return one && other && *one < *other;
  };
  return (known.has_lower_bound() && (!left.has_lower_bound() || isLess(left.min, known.min))) ||
         (known.has_upper_bound() && (!left.has_upper_bound() || isLess(known.max, left.max)));
}

// Whether Halide knows less about the values of a pure func once they are simplified.
bool losesBounds(const FuncSource &func, const ir::FuncValueBounds &values) {
  ir::Scope<ir::Interval> arguments;
  for (const std::string &argument : func.function.args())
    arguments.push(argument, ir::Interval::everything());
  const std::vector<Halide::Expr> &written = func.stages.front().values;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto known = values.find({func.function.name(), static_cast<int>(i)});
    if (known == values.end()) continue;
    if (isVaguer(ir::bounds_of_expr_in_scope(ir::simplify(written[i]), arguments, values),
                 known->second))
      return true;
  }
  return false;
}

// The indices of a stage that data choose: of what it loads and of what it stores.
class ChosenIndices : public ir::IRGraphVisitor {
public:
  void add(const Halide::Expr &index) {
    CalledInIndices called(true);
    index.accept(&called);
    if (!called.funcs.empty()) indices.push_back(index);
  }
  std::vector<Halide::Expr> indices;

private:
  using IRGraphVisitor::visit;

  void visit(const Call *call) override {
    if (call->call_type == Call::Halide || call->call_type == Call::Image)
      for (const Halide::Expr &index : call->args)
        add(index);
    IRGraphVisitor::visit(call);
  }
};

// Finds the pure funcs that an index loses its bounds by: with such a func inlined, Halide
// simplifies what was written around its call. Of clamp(int16(f & 127), 0, 299) it drops the clamp,
// as no number of 7 bits needs one, and then it knows of a 64-bit f no more than that it is cast.
class LostIndices {
public:
  LostIndices(const Graph &graph, std::vector<bool> &bounding)
      : m_graph(graph), m_bounding(bounding) {}

  void visit(const StageSource &stage) {
    ChosenIndices chosen;
    for (const Halide::Expr &e : expressionsOf(stage))
      e.accept(&chosen);
    for (const Halide::Expr &index : stage.args)
      chosen.add(index);
    ir::Scope<ir::Interval> loops;
    const ir::Interval some(0, kSomeExtent);
    for (const std::string &argument : m_graph.funcs[stage.func].function.args())
      loops.push(argument, some);
    for (const ir::ReductionVariable &variable : stage.reduction)
      loops.push(variable.var, some);
    for (const Halide::Expr &index : chosen.indices)
      visit(index, loops, 0);
  }

private:
  static constexpr int kSomeExtent = 4095; // of loops: what data choose does not depend on it
  static constexpr int kDeepest = 1;       // funcs that are inlined into each other

  void visit(const Halide::Expr &index, const ir::Scope<ir::Interval> &loops, int depth) {
    CalledInIndices called(true);
    index.accept(&called);
    const ir::Interval known = ir::bounds_of_expr_in_scope(index, loops, m_graph.values);
    for (const std::string &name : called.funcs) {
      const auto found = m_graph.funcIndex.find(name);
      if (found == m_graph.funcIndex.end()) continue;
      const std::uint32_t f = found->second;
      const FuncSource &func = m_graph.funcs[f];
      if (!func.isPure() || func.isOutput || m_bounding[f]) continue;
      // A definition that is put in twice brings its names twice: here they get others.
      const Halide::Expr inlined = ir::common_subexpression_elimination(withInlined(index, func));
      const auto isLost = [&](const Halide::Expr &e) {
        return isVaguer(ir::bounds_of_expr_in_scope(e, loops, m_graph.values), known);
      };
      // Once more, since of (f ^ g) & 127 the first time makes a remainder, which the second drops.
      const Halide::Expr once = ir::simplify(inlined);
      m_bounding[f] = isLost(once) || isLost(ir::simplify(once));
      if (!m_bounding[f] && depth < kDeepest) visit(inlined, loops, depth + 1);
    }
  }

  const Graph &m_graph;
  std::vector<bool> &m_bounding;
};

} // namespace

std::vector<bool> funcsThatBoundIndices(const Graph &graph) {
  const std::set<std::string> inIndices = funcsInIndices(graph);
  std::vector<bool> bounding;
  for (const FuncSource &func : graph.funcs)
    bounding.push_back(func.isPure() && inIndices.contains(func.function.name()) &&
                       losesBounds(func, graph.values));
  LostIndices lost(graph, bounding);
  for (const FuncSource &func : graph.funcs)
    for (const StageSource &stage : func.stages)
      lost.visit(stage);
  return bounding;
}

} // namespace tessera::halide
