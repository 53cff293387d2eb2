// SPDX-License-Identifier: MIT
// What each thread keeps, in kernels with vectors that compute sines and the like.
//
// Halide 21 loads vectors from a thread's frame as if each func in it began at a multiple of a
// vector. lower() pads the funcs so that they do (kept_storage.h), but the code that CUDA links in
// for a large argument of a sine has a table of 28 bytes in the same frame, before them.
#include "engine/schedule/rules.h"

#include <algorithm>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::Stage;
using pipeline::StageId;

namespace {

bool callsFunctions(const Stage &stage) {
  return std::ranges::any_of(stage.operations, [](const pipeline::OpCount &count) {
    return count.kind == pipeline::OpKind::Transcendental;
  });
}

// By the func at the root of a kernel.
std::vector<bool> kernelsWithFunctions(const RuleContext &context, const Shape &shape) {
  std::vector<bool> kernels(context.pipeline.funcs().size());
  for (const Stage &stage : context.pipeline.stages()) {
    if (!callsFunctions(stage)) continue;
    if (!context.schedule.plan(stage.func).isInline())
      kernels[index(shape.of(stage.func).kernel)] = true;
    else
      for (const StageId reader : readersOf(context.schedule, stage.func))
        kernels[index(shape.of(context.pipeline.stage(reader).func).kernel)] = true;
  }
  return kernels;
}

} // namespace

void checkFrames(const RuleContext &context, const Shape &shape, const KeptStorage &kept) {
  const std::vector<bool> &vectors = kept.kernelsWithVectors();
  if (std::ranges::find(vectors, true) == vectors.end()) return;
  const std::vector<bool> functions = kernelsWithFunctions(context, shape);
  for (std::size_t f = 0; f < context.pipeline.funcs().size(); ++f) {
    const auto id = static_cast<FuncId>(f);
    const FuncPlan &plan = context.schedule.plan(id);
    const std::size_t kernel = index(shape.of(id).kernel);
    if (plan.isInline() || shape.of(id).storeDepth != Depth::Thread ||
        plan.storage == Storage::Global || !vectors[kernel] || !functions[kernel])
      continue;
    context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                   context.pipeline.func(id).name +
                       " is kept by each thread, in a kernel with vectors and with functions that "
                       "keep tables beside it, and vectors would be loaded across their bounds",
                   "no vectors in the kernel, or global");
  }
}

} // namespace tessera::schedule
