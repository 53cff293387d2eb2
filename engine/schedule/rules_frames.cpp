// SPDX-License-Identifier: MIT
// What each thread keeps, in kernels with vectors that compute sines and the like.
//
// Halide 21 loads vectors from a thread's frame as if each func in it began at a multiple of a
// vector. lower() pads the funcs so that they do (frame_padding.h), but the code that CUDA links in
// for a large argument of a sine has a table of 28 bytes in the same frame, before them.
#include "engine/schedule/rules.h"

#include <algorithm>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Stage;
using pipeline::StageId;

namespace {

bool callsFunctions(const Stage &stage) {
  return std::ranges::any_of(stage.operations, [](const pipeline::OpCount &count) {
    return count.kind == pipeline::OpKind::Transcendental;
  });
}

// By kernel.
struct Frames {
  std::vector<bool> vectors, functions;
};

Frames framesOf(const RuleContext &context, const Shape &shape) {
  const Pipeline &pipeline = context.pipeline;
  Frames frames{std::vector<bool>(pipeline.funcs().size()),
                std::vector<bool>(pipeline.funcs().size())};
  for (std::size_t s = 0; s < pipeline.stages().size(); ++s) {
    const auto id = static_cast<StageId>(s);
    const FuncId func = pipeline.stage(id).func;
    const bool calls = callsFunctions(pipeline.stage(id));
    if (context.schedule.plan(func).isInline()) {
      if (!calls) continue;
      for (const StageId reader : readersOf(context.schedule, func))
        frames.functions[index(shape.of(pipeline.stage(reader).func).kernel)] = true;
      continue;
    }
    const std::size_t kernel = index(shape.of(func).kernel);
    if (calls) frames.functions[kernel] = true;
    if (context.schedule.plan(id).nest.contains(LoopKind::Vectorized))
      frames.vectors[kernel] = true;
  }
  return frames;
}

} // namespace

void checkFrames(const RuleContext &context, const Shape &shape) {
  const Frames frames = framesOf(context, shape);
  for (std::size_t f = 0; f < context.pipeline.funcs().size(); ++f) {
    const auto id = static_cast<FuncId>(f);
    const FuncPlan &plan = context.schedule.plan(id);
    const std::size_t kernel = index(shape.of(id).kernel);
    if (plan.isInline() || shape.of(id).storeDepth != Depth::Thread ||
        plan.storage == Storage::Global || !frames.vectors[kernel] || !frames.functions[kernel])
      continue;
    context.refuse(Rule::FrameAlignment, id, DecisionKind::Storage,
                   context.pipeline.func(id).name +
                       " is kept by each thread, in a kernel with vectors and with functions that "
                       "keep tables beside it, and vectors would be loaded across their bounds",
                   "no vectors in the kernel, or global");
  }
}

} // namespace tessera::schedule
