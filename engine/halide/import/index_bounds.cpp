// SPDX-License-Identifier: MIT
#include "engine/halide/import/index_bounds.h"

#include <set>
#include <string>
#include <utility>

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
    if (func.stages.size() > 1 || !all.funcs.contains(func.function.name())) continue;
    for (const Halide::Expr &value : func.stages.front().values)
      value.accept(&all);
  }
  return all.funcs;
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
    const ir::Interval left =
        ir::bounds_of_expr_in_scope(ir::simplify(written[i]), arguments, values);
    if ((known->second.has_lower_bound() && !left.has_lower_bound()) ||
        (known->second.has_upper_bound() && !left.has_upper_bound()))
      return true;
  }
  return false;
}

} // namespace

std::vector<bool> funcsThatBoundIndices(const Graph &graph) {
  const std::set<std::string> inIndices = funcsInIndices(graph);
  std::vector<bool> bounding;
  for (const FuncSource &func : graph.funcs)
    bounding.push_back(func.stages.size() == 1 && inIndices.contains(func.function.name()) &&
                       losesBounds(func, graph.values));
  return bounding;
}

} // namespace tessera::halide
