// SPDX-License-Identifier: MIT
#include "engine/halide/import/inlining.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tessera::halide {

namespace {

using Halide::Expr;
using Halide::Internal::Call;
namespace ir = Halide::Internal;

class Inlined : public ir::IRGraphMutator {
public:
  explicit Inlined(const FuncSource &func) : m_func(func) {}

private:
  using IRGraphMutator::visit;

  Expr visit(const Call *call) override {
    if (call->call_type != Call::Halide || call->name != m_func.function.name())
      return IRGraphMutator::visit(call);
    std::map<std::string, Expr> arguments;
    for (std::size_t i = 0; i < call->args.size(); ++i)
      arguments.emplace(m_func.function.args()[i], mutate(call->args[i]));
    const auto value = static_cast<std::size_t>(call->value_index);
    return ir::substitute(arguments, m_func.stages.front().values[value]);
  }

  const FuncSource &m_func;
};

void inlineInto(StageSource &stage, const FuncSource &func) {
  Inlined inlined(func);
  for (Expr &arg : stage.args)
    arg = inlined.mutate(arg);
  for (Expr &value : stage.values)
    value = inlined.mutate(value);
  if (stage.predicate.defined()) stage.predicate = inlined.mutate(stage.predicate);
}

} // namespace

Expr withInlined(const Expr &e, const FuncSource &func) { return Inlined(func).mutate(e); }

void inlineFuncs(Graph &graph, Estimates &estimates, const std::vector<std::uint32_t> &funcs) {
  std::vector<bool> isInlined(graph.funcs.size(), false);
  for (const std::uint32_t f : funcs)
    isInlined[f] = true;
  for (std::size_t f = graph.funcs.size(); f-- > 0;) // consumers first
    for (std::size_t reader = f + 1; isInlined[f] && reader < graph.funcs.size(); ++reader)
      for (StageSource &stage : graph.funcs[reader].stages)
        inlineInto(stage, graph.funcs[f]);

  std::vector<std::uint32_t> numbers(graph.funcs.size());
  std::vector<FuncSource> kept;
  graph.funcIndex.clear();
  for (std::size_t f = 0; f < graph.funcs.size(); ++f) {
    numbers[f] = static_cast<std::uint32_t>(kept.size());
    if (isInlined[f]) continue;
    for (StageSource &stage : graph.funcs[f].stages)
      stage.func = numbers[f];
    graph.funcIndex.emplace(graph.funcs[f].function.name(), numbers[f]);
    kept.push_back(std::move(graph.funcs[f]));
  }
  graph.funcs = std::move(kept);
  for (std::uint32_t &output : graph.outputs)
    output = numbers[output];
  std::map<std::uint32_t, std::vector<pipeline::Estimate>> handed;
  for (auto &[func, dims] : estimates.handed)
    handed.emplace(numbers[func], std::move(dims));
  estimates.handed = std::move(handed);
}

} // namespace tessera::halide
