// SPDX-License-Identifier: MIT
#include "engine/cost/load/run_facts.h"

#include "engine/schedule/bounds/reach.h"
#include "engine/schedule/directives/partitions.h"

#include <algorithm>

namespace tessera::cost {

using machine::Machine;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using schedule::Bounds;
using schedule::LoopKind;
using schedule::Schedule;

namespace {

// Whether the compiler knows a loop's length. Tiles have constant sizes. A root func is computed
// over a whole region, whose sizes are constants only where the pipeline fixes those of the
// outputs.
bool isConstant(const Pipeline &pipeline, const pipeline::LoopDim &loop, bool isRoot) {
  if (loop.kind == pipeline::LoopDim::Kind::Reduction) return loop.fixed;
  return !isRoot || (loop.argument && fixesStride(pipeline, *loop.argument + std::size_t{1}));
}

bool addsPartialSums(const Schedule &schedule, const Stage &stage) {
  return std::ranges::any_of(schedule.derivations(), [&](const schedule::Derivation &derivation) {
    const auto *factored = std::get_if<schedule::Factored>(&derivation);
    return factored && factored->stage == stage.index &&
           factored->of == schedule.pipeline()->func(stage.func).name;
  });
}

double unrolledCopies(const Run &run) {
  double copies = 1;
  for (const FlatLoop &loop : run.body())
    if (loop.kind == LoopKind::Unrolled) copies *= static_cast<double>(loop.iterations);
  return copies;
}

} // namespace

bool fixesStride(const Pipeline &pipeline, std::size_t dim) {
  const std::vector<pipeline::Estimate> &dims = pipeline.outputs().front().dims;
  const auto fixed = std::ranges::find(dims, false, &pipeline::Estimate::fixed) - dims.begin();
  return static_cast<std::size_t>(fixed) >= std::min(dim, dims.size());
}

bool isWhole(const Pipeline &pipeline, const Stage &stage, std::size_t loop, std::int64_t extent) {
  const auto argument = stage.loops[loop].argument;
  return argument && pipeline.func(stage.func).region[*argument].extent() == extent;
}

bool isCopy(const Pipeline &pipeline, Producer producer) {
  if (producer.kind == Producer::Kind::Input) return false;
  const auto id = static_cast<FuncId>(producer.index);
  const Stage &stage = pipeline.stage(pipeline.func(id).firstStage);
  return pipeline.func(id).stageCount == 1 && arithmeticOf(stage).all() == 0;
}

bool isStoredAnywhere(const Stage &stage) {
  return std::ranges::any_of(stage.store.indices, schedule::isAnywhere);
}

std::size_t loopOf(const schedule::Schedule &schedule, const schedule::Place &place) {
  return schedule.plan(place.stage).nest.find(place.loop).value_or(0);
}

MemorySpace spaceOf(const KernelRuns &runs, Producer producer) {
  return producer.kind == Producer::Kind::Input ? MemorySpace::Global
                                                : runs.space(static_cast<FuncId>(producer.index));
}

double pointsOf(const Run &run) {
  double points = 1;
  for (const FlatLoop &loop : run.body())
    points *= static_cast<double>(loop.iterations);
  return points;
}

double guardedWaits(const Schedule &schedule, const Bounds &bounds, const Run &run) {
  const schedule::LoopNest &nest = schedule.plan(run.stage).nest;
  const Stage &stage = schedule.pipeline()->stage(run.stage);
  const bool isUpdate = stage.index > 0, isRoot = schedule.plan(stage.func).isRoot();
  if (isUpdate && isStoredAnywhere(stage) && run.reads->choosesLoads(run.numbers))
    return unrolledCopies(run);
  double copies = 0;
  for (const FlatLoop &loop : run.body()) {
    if (loop.kind != LoopKind::Unrolled || nest.axes[loop.dim].splits.empty()) continue;
    const schedule::Split &split = nest.axes[loop.dim].splits.front();
    const bool isCut = split.tail == schedule::Tail::GuardWithIf ||
                       (split.tail == schedule::Tail::Auto && isUpdate);
    const bool isKnown = isConstant(*schedule.pipeline(), stage.loops[loop.dim], isRoot);
    if (isCut && (!isKnown || bounds.of(run.stage).dims[loop.dim] % split.factor != 0))
      copies = std::max(1.0, copies) * static_cast<double>(loop.iterations);
  }
  if (copies <= 1) return copies;
  const bool isInARow =
      isUpdate && (addsPartialSums(schedule, stage) || partitionsWrongly(schedule, run.stage));
  return isInARow ? copies : 1;
}

bool leavesGaps(const Run &run, const FlatLoop &loop) {
  if (loop.kind != LoopKind::Unrolled) return false;
  std::int64_t between = 1;
  for (const FlatLoop &other : run.body())
    if (other.dim == loop.dim && other.step < loop.step) between += other.reach();
  return loop.step > between;
}

namespace {

bool isConstantLength(const Schedule &schedule, const Bounds &bounds, pipeline::StageId id,
                      schedule::LoopRef source) {
  const Stage &stage = schedule.pipeline()->stage(id);
  if (source.part > 0) return true;
  if (source.axis >= stage.loops.size()) return false;
  return stage.loops[source.axis].fixed ||
         isWhole(*schedule.pipeline(), stage, source.axis, bounds.of(id).dims[source.axis]);
}

} // namespace

double remaindersOf(const Schedule &schedule, const Bounds &bounds, const Run &run) {
  constexpr double kByConstant = 5; // instructions: a product, a shift and a subtraction
  const Stage &stage = schedule.pipeline()->stage(run.stage);
  const schedule::LoopNest &nest = schedule.plan(run.stage).nest;
  double all = 0;
  for (std::size_t a = stage.loops.size(); a < nest.axes.size(); ++a) {
    // The remainders are computed once for each iteration of the fused loop and of the loops around
    // it.
    double evaluations = 0;
    bool isAround = false;
    for (const FlatLoop &loop : run.loops) {
      const bool isOwn = nest.loops[loop.loop].ref.axis == a;
      if (isOwn && loop.kind != LoopKind::Block) evaluations = std::max(1.0, evaluations);
      isAround = isAround || (isOwn && run.isInThread(loop));
      if (isAround && run.isInThread(loop)) evaluations *= static_cast<double>(loop.iterations);
    }
    const std::vector<schedule::LoopRef> &fused = nest.axes[a].fused;
    for (std::size_t s = 0; s + 1 < fused.size(); ++s)
      all += evaluations * (isConstantLength(schedule, bounds, run.stage, fused[s])
                                ? kByConstant
                                : kIntegerDivision);
  }
  return all / std::max(1.0, run.bodies);
}

std::int64_t warpsOf(const Run &run, const Launch &kernel, const Machine &machine) {
  const std::int64_t warp = machine.limits.warpSize;
  const std::int64_t width = kernel.blockThreads[0];
  const auto &active = run.active;
  if (width >= warp) return divideUp(active[0], warp) * active[1] * active[2];
  const std::int64_t rowsOfWarp = std::max<std::int64_t>(1, warp / width);
  return divideUp(active[1], rowsOfWarp) * active[2];
}

} // namespace tessera::cost
