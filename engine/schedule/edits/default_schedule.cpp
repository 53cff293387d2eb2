// SPDX-License-Identifier: MIT
#include "engine/schedule/edits/default_schedule.h"

#include "engine/schedule/edits/tiling.h"
#include "engine/schedule/rules/inlining.h"

namespace tessera::schedule {

using pipeline::Edge;
using pipeline::FuncId;
using pipeline::LoopDim;
using pipeline::OpKind;
using pipeline::Pipeline;
using pipeline::PipelinePtr;
using pipeline::Stage;

namespace {

// The largest number of operations of an inlined func and of everything that is inlined into it.
// Inlining makes the expressions of readers larger, and Halide takes longer for larger expressions.
constexpr std::uint32_t kMostOperations = 48;

std::uint32_t operations(const Stage &stage) {
  std::uint32_t sum = 0;
  for (const pipeline::OpCount &count : stage.operations)
    sum += count.count;
  return sum;
}

} // namespace

LoopNest kernelNest(const Stage &stage) {
  std::vector<std::int64_t> extents;
  for (const LoopDim &loop : stage.loops)
    extents.push_back(loop.range.extent());
  return tiledNest(stage, startTilings(stage, Depth::Host, extents), Depth::Host);
}

bool isTrivial(const Pipeline &pipeline, FuncId func) {
  const auto readers = pipeline.edgesFrom(func);
  if (!mayBeInlined(pipeline, func) || readers.size() != 1) return false;
  const Stage &stage = pipeline.stagesOf(func).front();
  if (operations(stage) > kMostOperations) return false;
  const Edge &edge = pipeline.edge(readers.front());
  if (edge.loads != 1) return false;
  // Here the func is known to be read once per point of its consumer. A consumer with a reduction
  // would still read it repeatedly.
  const Stage &consumer = pipeline.stage(edge.consumer);
  return std::ranges::none_of(
      consumer.loops, [](const LoopDim &loop) { return loop.kind == LoopDim::Kind::Reduction; });
}

Schedule defaultSchedule(PipelinePtr base) {
  Schedule schedule(base);
  const Pipeline &pipeline = *base;
  // Visits producers first, since the size of an expression includes what is inlined into it.
  std::vector<std::uint32_t> size(pipeline.stages().size());
  for (std::size_t s = 0; s < size.size(); ++s)
    size[s] = operations(pipeline.stages()[s]);
  for (std::size_t f = 0; f < pipeline.funcs().size(); ++f) {
    const auto id = static_cast<FuncId>(f);
    FuncPlan plan = schedule.plan(id);
    const std::size_t first = index(pipeline.func(id).firstStage);
    if (isTrivial(pipeline, id) && size[first] <= kMostOperations) {
      plan.compute = Place::inlined();
      size[index(pipeline.edge(pipeline.edgesFrom(id).front()).consumer)] += size[first];
    } else if (!pipeline.func(id).externCall) { // an extern stage stays as it is
      for (std::size_t s = 0; s < plan.stages.size(); ++s)
        plan.stages[s].nest = kernelNest(pipeline.stagesOf(id)[s]);
    }
    schedule.set(id, std::move(plan));
  }
  return schedule;
}

} // namespace tessera::schedule
