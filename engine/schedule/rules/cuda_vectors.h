// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

#include <cstddef>

namespace tessera::schedule {

// Calls `check` with each stage in a kernel for CUDA and each of its vectorised loops of more than
// one iteration.
template <typename Check>
void forEachCudaVector(const RuleContext &context, const Bounds &bounds, Check check) {
  if (!context.limits.vectorsTakenApart) return; // OpenCL
  for (const pipeline::FuncId func : context.funcs) {
    if (context.schedule.plan(func).isInline()) continue;
    for (const pipeline::StageId stage : context.pipeline.stageIdsOf(func)) {
      const LoopNest &nest = context.schedule.plan(stage).nest;
      const bool isOnHost = bounds.of(func).depth == Depth::Host &&
                            !nest.contains(LoopKind::Block) && !nest.singleThread;
      for (std::size_t l = 0; l < nest.loops.size() && !isOnHost; ++l)
        if (nest.loops[l].kind == LoopKind::Vectorized && bounds.of(stage).loops[l] != 1)
          check(stage, l);
    }
  }
}

} // namespace tessera::schedule
