// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_bytes.h"

#include "engine/schedule/rules/shuffled_bytes.h"

#include <cstdint>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::StageId;

namespace {

constexpr std::int64_t kPermuted = 4; // bytes that the code generator permutes at once

void checkVectors(const RuleContext &context, const Bounds &bounds, StageId id) {
  const pipeline::Stage &stage = context.pipeline.stage(id);
  const LoopNest &nest = context.schedule.plan(id).nest;
  const bool isOnHost = bounds.of(stage.func).depth == Depth::Host &&
                        !nest.contains(LoopKind::Block) && !nest.singleThread;
  if (isOnHost) return;
  const auto isInline = [&](FuncId func) { return context.schedule.plan(func).isInline(); };
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    const Loop &loop = nest.loops[l];
    if (loop.kind != LoopKind::Vectorized || bounds.of(id).loops[l] < kPermuted) continue;
    if (shufflesBytes(context.pipeline, id, dimsOf(nest, loop.ref), isInline))
      context.refuse(Rule::VectorBytes, id, DecisionKind::Order, loop.ref.axis,
                     "it computes in vectors with bytes that it reads repeatedly or backwards, "
                     "at which LLVM 21 fails",
                     "a vector of 2, or an unrolled loop instead of the vectorised one");
  }
}

} // namespace

void checkBytes(const RuleContext &context, const Bounds &bounds) {
  if (!context.limits.vectorsTakenApart) return; // OpenCL
  for (const FuncId func : context.funcs) {
    if (context.schedule.plan(func).isInline()) continue;
    for (const StageId stage : context.pipeline.stageIdsOf(func))
      checkVectors(context, bounds, stage);
  }
}

} // namespace tessera::schedule
