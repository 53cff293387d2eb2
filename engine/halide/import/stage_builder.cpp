// SPDX-License-Identifier: MIT
#include "engine/halide/import/stage_builder.h"

#include "engine/halide/import/expression.h"
#include "engine/halide/import/extern_stages.h"
#include "engine/halide/import/fixed_ranges.h"
#include "engine/halide/import/folding.h"
#include "engine/halide/import/index_map.h"
#include "engine/halide/import/operations.h"
#include "engine/halide/import/stage_loads.h"

#include <algorithm>
#include <sstream>

namespace tessera::halide {

namespace {

using Halide::Expr;
namespace ir = Halide::Internal;

std::string joined(const std::vector<Expr> &exprs) {
  std::ostringstream text;
  for (std::size_t i = 0; i < exprs.size(); ++i)
    text << (i ? ", " : "") << exprs[i];
  return text.str();
}

// Shortens a text, but never in the middle of a UTF-8 character. The shortened text ends with
// the number of missing bytes.
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

// Halide's table of associative operations has no bfloat16. It takes bfloat16 for float16, and
// keeps what it made of it for every float16 that is asked about later in the same process, which
// fails.
bool isInTableOfOperations(const StageSource &stage) {
  return std::ranges::none_of(stage.values,
                              [](const Halide::Expr &e) { return e.type().is_bfloat(); });
}

// Of an extern stage, nothing is known but what its function gets.
void describeCall(pipeline::Stage &stage, const FuncSource &func, const StageSource &raw,
                  const Graph &resolvedGraph, const StageSource &resolved,
                  std::size_t definitionLimit) {
  IndexEvaluator evaluator(stage.loops, resolvedGraph.values);
  stage.loads = loadsOf(resolvedGraph, resolved, evaluator);
  stage.store = storeOf(resolved, evaluator);
  stage.definition =
      cut(func.function.name() + "(" + joined(raw.args) + ") = extern " + func.callText,
          definitionLimit);
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
  if (rawGraph.funcs[raw.func].isExtern()) {
    describeCall(stage, rawGraph.funcs[raw.func], raw, resolvedGraph, resolved, definitionLimit);
    return stage;
  }
  for (const ir::ReductionVariable &variable : raw.reduction)
    for (pipeline::LoopDim &loop : stage.loops)
      if (loop.name == variable.var)
        loop.fixed = ir::is_const(variable.min) && ir::is_const(variable.extent);
  Operations operations = countOperations(raw, rawGraph.funcName(raw), loops);
  stage.operations = std::move(operations.all);
  stage.steady = std::move(operations.steady);
  stage.expression = expressionOf(rawGraph, raw);
  IndexEvaluator evaluator(loops, resolvedGraph.values);
  stage.loads = loadsOf(resolvedGraph, resolved, evaluator);
  stage.folded = foldedOver(loops, rawGraph, raw, resolvedGraph, resolved, evaluator);
  if (raw.index > 0 && isInTableOfOperations(raw)) {
    const ir::AssociativeOp proof =
        ir::prove_associativity(rawGraph.funcName(raw), raw.args, raw.values);
    stage.associative = proof.associative();
    stage.commutative = proof.associative() && proof.commutative();
  }
  stage.store = storeOf(resolved, evaluator);
  markFixedRanges(stage, rawGraph, raw);
  stage.definition = cut(definitionOf(rawGraph, raw), definitionLimit);
  if (raw.predicate.defined()) {
    std::ostringstream text;
    text << raw.predicate;
    stage.predicate = cut(text.str(), definitionLimit);
  }
  return stage;
}

} // namespace tessera::halide
