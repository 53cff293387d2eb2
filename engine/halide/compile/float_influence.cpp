// SPDX-License-Identifier: MIT
#include "engine/halide/compile/float_influence.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;
using Halide::Expr;
using report::FloatInfluence;

class Influences;

// Walks one definition. An expression makes up the value, or it decides about the value: as a
// condition, as an index, or as the place of an update.
class InfluenceOn : public ir::IRVisitor {
public:
  explicit InfluenceOn(Influences &all) : m_all(all) {}

  FloatInfluence found = FloatInfluence::None;

  void value(const Expr &expr) { walk(expr, false); }
  void decision(const Expr &expr) { walk(expr, true); }

private:
  using IRVisitor::visit;

  void walk(const Expr &expr, bool decides) {
    if (!expr.defined() || found == FloatInfluence::Rounded) return;
    const bool before = std::exchange(m_decides, decides);
    if (expr.type().is_float()) raise(FloatInfluence::Decides);
    expr.accept(this);
    m_decides = before;
  }
  void raise(FloatInfluence influence) {
    found = std::max(found, m_decides ? std::min(influence, FloatInfluence::Decides) : influence);
  }
  // A float becomes a number of another type.
  void raiseRounded(const Halide::Type &type) {
    raise(type.is_bool() ? FloatInfluence::Decides : FloatInfluence::Rounded);
  }

  void visit(const ir::Cast *op) override {
    if (op->value.type().is_float() && !op->type.is_float()) raiseRounded(op->type);
    walk(op->value, m_decides);
  }
  void visit(const ir::Select *op) override {
    decision(op->condition);
    walk(op->true_value, m_decides);
    walk(op->false_value, m_decides);
  }
  template <typename Comparison>
  void compared(const Comparison *op) {
    decision(op->a);
    decision(op->b);
  }
  void visit(const ir::EQ *op) override { compared(op); }
  void visit(const ir::NE *op) override { compared(op); }
  void visit(const ir::LT *op) override { compared(op); }
  void visit(const ir::LE *op) override { compared(op); }
  void visit(const ir::GT *op) override { compared(op); }
  void visit(const ir::GE *op) override { compared(op); }
  void visit(const ir::Let *op) override {
    const auto before = m_lets.find(op->name);
    const Expr outer = before == m_lets.end() ? Expr() : before->second;
    m_lets[op->name] = op->value;
    walk(op->body, m_decides);
    m_lets[op->name] = outer;
  }
  void visit(const ir::Variable *op) override {
    const auto let = m_lets.find(op->name);
    if (let == m_lets.end() || !let->second.defined()) return;
    if (m_walked.emplace(op->name, m_decides).second) walk(let->second, m_decides);
  }
  void visit(const ir::Call *op) override;

  Influences &m_all;
  bool m_decides = false;
  std::map<std::string, Expr> m_lets;
  std::set<std::pair<std::string, bool>> m_walked; // variables whose `let` was walked, and how
};

// The influence on each element of each func; an update that reads its own func adds nothing.
class Influences {
public:
  explicit Influences(const Graph &graph) : m_graph(graph) {}

  FloatInfluence of(const std::string &func, std::size_t element) {
    const auto at = m_graph.funcIndex.find(func);
    if (at == m_graph.funcIndex.end()) return FloatInfluence::None;
    const auto [known, isNew] = m_known.try_emplace({func, element}, FloatInfluence::None);
    if (!isNew) return known->second;
    const FuncSource &source = m_graph.funcs[at->second];
    if (source.isExtern()) return m_known[{func, element}] = ofExtern(source);
    InfluenceOn walk(*this);
    for (const StageSource &stage : source.stages) {
      for (const Expr &place : stage.args)
        walk.decision(place);
      walk.decision(stage.predicate);
      if (element < stage.values.size()) walk.value(stage.values[element]);
    }
    return m_known[{func, element}] = walk.found;
  }

private:
  // The function of an extern stage may do anything with the floats that it gets.
  FloatInfluence ofExtern(const FuncSource &source) {
    FloatInfluence found = FloatInfluence::None;
    const auto gets = [&](const Halide::Type &type) {
      if (type.is_float()) found = FloatInfluence::Rounded;
    };
    for (const Expr &value : source.stages.front().values)
      gets(value.type());
    for (const std::string &read : source.handed) {
      if (const auto input = m_graph.inputIndex.find(read); input != m_graph.inputIndex.end()) {
        gets(m_graph.inputs[input->second].type);
        continue;
      }
      const auto types = m_graph.funcs[m_graph.funcIndex.at(read)].function.output_types();
      for (std::size_t e = 0; e < types.size(); ++e) {
        gets(types[e]);
        found = std::max(found, of(read, e));
      }
    }
    return found;
  }

  const Graph &m_graph;
  std::map<std::pair<std::string, std::size_t>, FloatInfluence> m_known;
};

void InfluenceOn::visit(const ir::Call *op) {
  if (op->call_type == ir::Call::Halide)
    raise(m_all.of(op->name, static_cast<std::size_t>(op->value_index)));
  const bool isRead = op->call_type == ir::Call::Halide || op->call_type == ir::Call::Image;
  const bool takesFloats = std::ranges::any_of(
      op->args, [](const Expr &argument) { return argument.type().is_float(); });
  if (!isRead && takesFloats && !op->type.is_float()) raiseRounded(op->type);
  for (const Expr &argument : op->args)
    walk(argument, isRead || m_decides);
}

} // namespace

std::vector<FloatInfluence> floatInfluences(const Graph &graph) {
  Influences influences(graph);
  std::vector<FloatInfluence> result;
  for (const std::uint32_t output : graph.outputs) {
    const ir::Function &function = graph.funcs[output].function;
    for (int element = 0; element < function.outputs(); ++element)
      result.push_back(influences.of(function.name(), static_cast<std::size_t>(element)));
  }
  return result;
}

} // namespace tessera::halide
