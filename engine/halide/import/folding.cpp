// SPDX-License-Identifier: MIT
#include "engine/halide/import/folding.h"

#include "engine/halide/import/operations.h"
#include "engine/halide/import/stage_loads.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace tessera::halide {

namespace {

using Halide::Expr;
using Halide::Internal::Call;
using pipeline::Folded;
using pipeline::LoopDim;
using pipeline::OpCount;
namespace ir = Halide::Internal;

constexpr std::int64_t kMostValues = 64; // longer loops are left out: they are not unrolled
constexpr std::int64_t kLookedAt = 16;   // number of values examined, spread evenly

// Collects each loop that is the only one to decide the condition of a select or of a similar
// choice, one bit per loop.
class FindChoices : public ir::IRVisitor {
public:
  explicit FindChoices(IndexEvaluator &evaluator) : m_evaluator(evaluator) {}
  std::uint32_t loops = 0;

private:
  using IRVisitor::visit;

  void decide(const Expr &by) {
    const auto decided = m_evaluator.decidedBy(by);
    if (decided && std::has_single_bit(*decided)) loops |= *decided;
  }
  void visit(const ir::Let *let) override {
    let->value.accept(this);
    m_evaluator.pushLet(let->name, let->value);
    let->body.accept(this);
    m_evaluator.popLet();
  }
  void visit(const ir::Select *select) override {
    decide(select->condition);
    IRVisitor::visit(select);
  }
  void visit(const Call *call) override {
    if (call->is_intrinsic({Call::if_then_else, Call::mux})) decide(call->args.front());
    IRVisitor::visit(call);
  }

  IndexEvaluator &m_evaluator;
};

StageSource withValue(StageSource stage, const std::string &loop, std::int64_t value) {
  const Expr number(static_cast<int>(value));
  const auto fold = [&](Expr &e) { e = ir::simplify(ir::substitute(loop, number, e)); };
  std::ranges::for_each(stage.args, fold);
  std::ranges::for_each(stage.values, fold);
  if (stage.predicate.defined()) fold(stage.predicate);
  return stage;
}

class Sum {
public:
  void add(const std::vector<OpCount> &more) {
    for (const OpCount &one : more)
      m_counts[{one.kind, one.type.kind, one.type.bits}] += one.count;
  }
  std::vector<OpCount> take() const {
    std::vector<OpCount> result;
    for (const auto &[key, count] : m_counts)
      result.push_back({std::get<0>(key), {std::get<1>(key), std::get<2>(key)}, count});
    return result;
  }

private:
  using Key = std::tuple<pipeline::OpKind, pipeline::TypeKind, std::uint8_t>;
  std::map<Key, std::uint32_t> m_counts;
};

class Folding {
public:
  void add(const Operations &operations, const std::vector<pipeline::Access> &loads) {
    ++m_values;
    m_all.add(operations.all);
    for (const pipeline::SteadyOps &steady : operations.steady)
      m_steady[steady.loops].add(steady.operations);
    for (const pipeline::Access &load : loads)
      m_loads[{load.producer.kind, load.producer.index}] += load.different;
  }

  Folded take(std::uint32_t loop) const {
    Folded folded{loop, m_values, m_all.take(), {}, {}};
    for (const auto &[loops, sum] : m_steady)
      folded.steady.push_back({loops, sum.take()});
    for (const auto &[producer, count] : m_loads)
      folded.loads.push_back({{producer.first, producer.second}, count});
    return folded;
  }

private:
  std::uint32_t m_values = 0;
  Sum m_all;
  std::map<std::uint32_t, Sum> m_steady;
  std::map<std::pair<pipeline::Producer::Kind, std::uint32_t>, std::uint32_t> m_loads;
};

} // namespace

std::vector<Folded> foldedOver(const std::vector<LoopDim> &loops, const Graph &rawGraph,
                               const StageSource &raw, const Graph &resolvedGraph,
                               const StageSource &resolved, IndexEvaluator &evaluator) {
  FindChoices choices(evaluator);
  for (const Expr &e : resolved.values)
    e.accept(&choices);
  std::vector<Folded> result;
  for (std::uint32_t l = 0; l < loops.size() && l < 32; ++l) {
    const LoopDim &loop = loops[l];
    const std::int64_t values = loop.range.extent();
    if ((choices.loops >> l & 1) == 0 || values > kMostValues) continue;
    Folding folding;
    const std::int64_t looked = std::min(values, kLookedAt);
    for (std::int64_t i = 0; i < looked; ++i) {
      const std::int64_t value = loop.range.min + i * values / looked;
      folding.add(countOperations(withValue(raw, loop.name, value), rawGraph.funcName(raw), loops),
                  loadsOf(resolvedGraph, withValue(resolved, loop.name, value), evaluator));
    }
    result.push_back(folding.take(l));
  }
  return result;
}

} // namespace tessera::halide
