// SPDX-License-Identifier: MIT
#include "engine/halide/stage_builder.h"

#include "engine/halide/index_map.h"
#include "engine/halide/operations.h"

#include <algorithm>
#include <sstream>

namespace tessera::halide {

namespace {

using Halide::Expr;
using Halide::Internal::Call;
using pipeline::Access;
using pipeline::IndexMap;
using pipeline::Producer;
namespace ir = Halide::Internal;

// A load whose indices have several maps each stands for that many accesses; beyond this the hull
// is no longer followed.
constexpr std::size_t kMaxAccessesPerLoad = 16;

class CollectLoads : public ir::IRVisitor {
public:
  CollectLoads(const Graph &graph, IndexEvaluator &evaluator)
      : m_graph(graph), m_evaluator(evaluator) {}

  std::vector<Access> take() {
    std::stable_sort(m_loads.begin(), m_loads.end(), [](const Access &a, const Access &b) {
      if (a.producer.kind != b.producer.kind) return a.producer.kind < b.producer.kind;
      return a.producer.index < b.producer.index;
    });
    return std::move(m_loads);
  }

private:
  using IRVisitor::visit;

  void visit(const ir::Let *let) override {
    let->value.accept(this);
    m_evaluator.pushLet(let->name, let->value);
    let->body.accept(this);
    m_evaluator.popLet();
  }

  void visit(const Call *call) override {
    IRVisitor::visit(call);
    if (call->call_type == Call::Halide) {
      const auto func = m_graph.funcIndex.find(call->name);
      if (func != m_graph.funcIndex.end())
        add({Producer::Kind::Func, func->second}, *call,
            static_cast<std::uint32_t>(call->value_index));
    } else if (call->call_type == Call::Image) {
      const auto input = m_graph.inputIndex.find(call->name);
      if (input != m_graph.inputIndex.end()) add({Producer::Kind::Input, input->second}, *call, 0);
    }
  }

  void add(Producer producer, const Call &call, std::uint32_t element) {
    std::vector<Access> accesses{{producer, {}, element, 1}};
    for (const Expr &arg : call.args) {
      const IndexEvaluator::Maps maps = m_evaluator.evaluate(arg);
      std::vector<Access> next;
      for (const Access &access : accesses)
        for (const IndexMap &map : maps) {
          next.push_back(access);
          next.back().indices.push_back(map);
        }
      if (next.size() > kMaxAccessesPerLoad) next = {withWhole(accesses.front())};
      accesses = std::move(next);
    }
    for (const Access &access : accesses)
      addOnce(access);
  }

  static Access withWhole(Access access) {
    IndexMap map;
    map.offset = pipeline::kEverything;
    map.precision = pipeline::Precision::Whole;
    map.reason = "too many branches";
    access.indices.push_back(map);
    return access;
  }

  void addOnce(const Access &access) {
    const auto same = std::find_if(m_loads.begin(), m_loads.end(), [&](const Access &other) {
      return other.producer == access.producer && other.tupleElement == access.tupleElement &&
             other.indices == access.indices;
    });
    if (same == m_loads.end())
      m_loads.push_back(access);
    else
      ++same->count;
  }

  const Graph &m_graph;
  IndexEvaluator &m_evaluator;
  std::vector<Access> m_loads;
};

// Where the stage writes. An index with several maps is covered by their hull only as a whole.
Access storeOf(const StageSource &stage, IndexEvaluator &evaluator) {
  Access store;
  store.producer = Producer{Producer::Kind::Func, stage.func};
  for (const Expr &arg : stage.args) {
    IndexEvaluator::Maps maps = evaluator.evaluate(arg);
    if (maps.size() > 1) {
      IndexMap whole;
      whole.offset = pipeline::kEverything;
      whole.precision = pipeline::Precision::Whole;
      whole.reason = "select";
      maps = {whole};
    }
    store.indices.push_back(maps.front());
  }
  return store;
}

std::string joined(const std::vector<Expr> &exprs) {
  std::ostringstream text;
  for (std::size_t i = 0; i < exprs.size(); ++i)
    text << (i ? ", " : "") << exprs[i];
  return text.str();
}

// Never in the middle of a UTF-8 character; the mark says how much is missing.
std::string cut(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  const std::size_t total = text.size();
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  text.resize(end);
  return text + " … (" + std::to_string(total - end) + " more bytes)";
}

std::string definitionOf(const Graph &graph, const StageSource &stage) {
  std::string text = graph.funcName(stage) + "(" + joined(stage.args) + ") = ";
  const std::string values = joined(stage.values);
  return text + (stage.values.size() == 1 ? values : "{" + values + "}");
}

} // namespace

pipeline::Stage buildStage(const Graph &rawGraph, const StageSource &raw,
                           const Graph &resolvedGraph, const StageSource &resolved,
                           const std::vector<pipeline::LoopDim> &loops,
                           std::size_t definitionLimit) {
  pipeline::Stage stage;
  stage.func = pipeline::FuncId{resolved.func};
  stage.index = resolved.index;
  stage.loops = loops;
  for (const ir::ReductionVariable &variable : raw.reduction)
    for (pipeline::LoopDim &loop : stage.loops)
      if (loop.name == variable.var)
        loop.fixed = ir::is_const(variable.min) && ir::is_const(variable.extent);
  Operations operations = countOperations(raw, rawGraph.funcName(raw), loops);
  stage.operations = std::move(operations.all);
  stage.steady = std::move(operations.steady);
  IndexEvaluator evaluator(loops, resolvedGraph.values);
  CollectLoads collect(resolvedGraph, evaluator);
  for (const Expr &e : expressionsOf(resolved))
    e.accept(&collect);
  stage.loads = collect.take();
  if (raw.index > 0) {
    const ir::AssociativeOp proof =
        ir::prove_associativity(rawGraph.funcName(raw), raw.args, raw.values);
    stage.associative = proof.associative();
    stage.commutative = proof.associative() && proof.commutative();
  }
  stage.store = storeOf(resolved, evaluator);
  stage.definition = cut(definitionOf(rawGraph, raw), definitionLimit);
  if (raw.predicate.defined()) {
    std::ostringstream text;
    text << raw.predicate;
    stage.predicate = cut(text.str(), definitionLimit);
  }
  return stage;
}

} // namespace tessera::halide
