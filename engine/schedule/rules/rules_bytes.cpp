// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_bytes.h"

#include "engine/schedule/rules/shuffled_bytes.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::StageId;

namespace {

// How often unrolled loops of the same axis, inside of a vectorised one, repeat it.
std::int64_t copiesOf(const LoopNest &nest, LoopRef vector, std::span<const std::int64_t> sizes) {
  std::int64_t copies = 1;
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    const Loop &loop = nest.loops[l];
    if (loop.ref.axis == vector.axis && loop.ref.part > vector.part &&
        loop.kind == LoopKind::Unrolled)
      copies *= sizes[l];
  }
  return copies;
}

void checkVectors(const RuleContext &context, const Bounds &bounds, StageId id) {
  const pipeline::Stage &stage = context.pipeline.stage(id);
  const LoopNest &nest = context.schedule.plan(id).nest;
  const bool isOnHost = bounds.of(stage.func).depth == Depth::Host &&
                        !nest.contains(LoopKind::Block) && !nest.singleThread;
  if (isOnHost) return;
  const auto isInline = [&](FuncId func) { return context.schedule.plan(func).isInline(); };
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    const Loop &loop = nest.loops[l];
    const auto sizes = bounds.of(id).loops;
    if (loop.kind != LoopKind::Vectorized || sizes[l] == 1) continue;
    const std::vector<std::uint16_t> loops = dimsOf(nest, loop.ref);
    if (shufflesBytes(context.pipeline, id, {loops, sizes[l], copiesOf(nest, loop.ref, sizes)},
                      isInline))
      context.refuse(Rule::VectorBytes, id, DecisionKind::Order, loop.ref.axis,
                     "it has vectors of bytes that it reads repeatedly or backwards, or stores "
                     "between others, at which LLVM 21 fails",
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
