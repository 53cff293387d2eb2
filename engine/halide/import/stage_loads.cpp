// SPDX-License-Identifier: MIT
#include "engine/halide/import/stage_loads.h"

#include "engine/halide/import/extern_stages.h"
#include "engine/halide/import/index_algebra.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tessera::halide {

namespace {

using Halide::Expr;
using Halide::Internal::Call;
using pipeline::Access;
using pipeline::IndexMap;
using pipeline::Producer;
namespace ir = Halide::Internal;

// If several indices of a load have more than one map, the load stands for all combinations of
// these maps. An index that raises their number above this limit counts as unknown instead.
constexpr std::size_t kMaxAccessesPerLoad = 16;

IndexMap wholeMap(const char *reason) {
  return algebra::interval(pipeline::kEverything, pipeline::Precision::Whole, reason);
}

class CollectLoads : public ir::IRVisitor {
public:
  CollectLoads(const Graph &graph, IndexEvaluator &evaluator)
      : m_graph(graph), m_evaluator(evaluator) {}

  void addHanded(const FuncSource &func) {
    for (Access &load : handedLoads(m_graph, func))
      m_loads.push_back(std::move(load));
  }

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
      if (next.size() > kMaxAccessesPerLoad) next = withWhole(accesses);
      accesses = std::move(next);
    }
    const bool isNew = m_seen.insert(Expr(&call)).second;
    for (const Access &access : accesses)
      add(access, isNew);
  }

  // Each access keeps the indices that it has so far, so that together they still cover the load.
  static std::vector<Access> withWhole(std::vector<Access> accesses) {
    for (Access &access : accesses)
      access.indices.push_back(wholeMap("too many branches"));
    return accesses;
  }

  // `isNew`: the expression was not seen before, so data may select a different element even if the
  // maps are the same.
  void add(const Access &access, bool isNew) {
    const auto same = std::find_if(m_loads.begin(), m_loads.end(), [&](const Access &other) {
      return other.producer == access.producer && other.tupleElement == access.tupleElement &&
             other.indices == access.indices;
    });
    if (same == m_loads.end()) {
      m_loads.push_back(access);
      return;
    }
    ++same->count;
    const bool isGathered = std::ranges::any_of(access.indices, [](const IndexMap &map) {
      return map.precision == pipeline::Precision::Whole;
    });
    if (isNew && isGathered) ++same->different;
  }

  const Graph &m_graph;
  IndexEvaluator &m_evaluator;
  std::vector<Access> m_loads;
  std::set<Expr, ir::IRDeepCompare> m_seen;
};

} // namespace

std::vector<Access> loadsOf(const Graph &graph, const StageSource &stage,
                            IndexEvaluator &evaluator) {
  CollectLoads collect(graph, evaluator);
  collect.addHanded(graph.funcs[stage.func]);
  for (const Expr &e : expressionsOf(stage))
    e.accept(&collect);
  return collect.take();
}

Access storeOf(const StageSource &stage, IndexEvaluator &evaluator) {
  Access store{{Producer::Kind::Func, stage.func}, {}};
  for (const Expr &arg : stage.args) {
    IndexEvaluator::Maps maps = evaluator.evaluate(arg);
    store.indices.push_back(maps.size() > 1 ? wholeMap("select") : maps.front());
  }
  return store;
}

} // namespace tessera::halide
