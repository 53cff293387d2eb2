// SPDX-License-Identifier: MIT
#include "engine/search/kernels/written_tile.h"

#include "engine/search/kernels/tile_dims.h"

#include <algorithm>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Stage;
using schedule::Loop;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::Schedule;
using schedule::StagePlan;

namespace {

// The iterations of the loop of this kind along a dimension, or 1 if there is none.
std::int64_t writtenSize(const LoopNest &nest, std::size_t dim, LoopKind kind) {
  const auto loop = std::ranges::find_if(nest.loops, [&](const Loop &one) {
    return one.ref.axis == dim && one.ref.part > 0 && one.kind == kind;
  });
  if (loop == nest.loops.end()) return 1;
  const std::size_t part = loop->ref.part;
  return nest.axes[dim].inside(part - 1) / nest.axes[dim].inside(part);
}

Tile tileOf(const Stage &stage, const StagePlan &plan, const std::array<std::size_t, 2> &dims) {
  Tile tile{{1, 1}, {1, 1}};
  for (std::size_t t = 0; t < dims.size(); ++t) {
    if (dims[t] == kNone) continue;
    tile.threads[t] = writtenSize(plan.nest, dims[t], LoopKind::Thread);
    tile.points[t] = writtenSize(plan.nest, dims[t], LoopKind::Unrolled) *
                     writtenSize(plan.nest, dims[t], LoopKind::Vectorized);
  }
  if (const std::size_t third = thirdDim(stage, dims); dims[1] != kNone && third != kNone) {
    tile.deepThreads = writtenSize(plan.nest, third, LoopKind::Thread);
    tile.deepPoints = writtenSize(plan.nest, third, LoopKind::Unrolled);
  }
  return tile;
}

// The thread counts of a kernel's blocks along the first two dimensions.
std::array<std::int64_t, 2> threadsOf(const Schedule &schedule, const Group &group) {
  std::array<std::int64_t, 2> threads{1, 1};
  for (const FuncId func : group.funcs())
    for (const StagePlan &plan : schedule.plan(func).stages) {
      std::size_t dim = 0;
      for (const Loop &loop : plan.nest.loops)
        if (loop.kind == LoopKind::Thread && loop.ref.part > 0 && dim < threads.size()) {
          const schedule::Axis &axis = plan.nest.axes[loop.ref.axis];
          const std::int64_t size = axis.inside(loop.ref.part - 1U) / axis.inside(loop.ref.part);
          threads[dim] = std::max(threads[dim], size);
          ++dim;
        }
    }
  return threads;
}

struct Steps {
  std::int64_t staged = 0, unrolled = 1; // number of steps fetched at once, and unrolled steps
};

// The steps of the sum that reads the first member with Placement::Step.
std::optional<Steps> stepsOf(const Schedule &schedule, const Group &group) {
  const auto member = std::ranges::find(group.members, Placement::Step, &Member::placement);
  if (member == group.members.end()) return std::nullopt;
  const schedule::Place &place = schedule.plan(member->func).compute;
  const LoopNest &nest = schedule.plan(place.stage).nest;
  Steps steps;
  for (const schedule::Split &split : nest.axes[place.loop.axis].splits)
    steps.staged = std::max(steps.staged, split.factor);
  steps.unrolled = writtenSize(nest, place.loop.axis, LoopKind::Unrolled);
  return steps.staged > 0 ? std::optional(steps) : std::nullopt;
}

} // namespace

std::optional<Tile> tileOf(const Schedule &schedule, const Group &group,
                           const FrozenDecisions &frozen) {
  const Pipeline &pipeline = *schedule.pipeline();
  pipeline.requireIds(group.ids);
  const std::vector<StagePlan> &plans = schedule.plan(group.output).stages;
  const bool spreads = std::ranges::any_of(
      plans, [](const StagePlan &plan) { return plan.atomic != schedule::Atomic::No; });
  Group tiled = group;
  schedule::ShapeRoom room;
  const auto isWritten = [&] {
    const auto written = withGroup(schedule, tiled, frozen, room);
    return written && written->schedule == schedule;
  };
  const std::optional<Steps> inSteps = stepsOf(schedule, group);
  if (group.isStaged() && !inSteps) return std::nullopt;
  const std::vector<std::int64_t> unrolled =
      inSteps ? std::vector{inSteps->unrolled} : stepChoices(pipeline, group);
  for (const bool strips : stripChoices(schedule, group.output))
    for (const bool spreadMembers : memberSpreadChoices(pipeline, group))
      for (const Stage &stage : pipeline.stagesOf(group.output))
        for (const std::int64_t steps : unrolled)
          for (const Turns turns : turnChoices(pipeline, group))
            for (const Whole whole : wholeChoices(pipeline, stage))
              for (const bool shortWhole : shortChoices(pipeline, group.output)) {
                const StagePlan &plan = plans[stage.index];
                const bool atomic = plan.atomic != schedule::Atomic::No;
                tiled.tile = tileOf(stage, plan, tiledDims(pipeline, stage, atomic, whole));
                if (strips) tiled.tile = {threadsOf(schedule, group)};
                tiled.tile->shortWhole = shortWhole;
                tiled.tile->longWhole = whole;
                tiled.tile->spread = spreads || !maySpread(pipeline, group.output);
                tiled.tile->steps = steps;
                tiled.tile->turns = turns;
                tiled.tile->spreadMembers = spreadMembers;
                tiled.tile->strips = strips;
                if (inSteps) tiled.tile->staged = inSteps->staged;
                if (isWritten()) return tiled.tile;
              }
  return std::nullopt;
}

Tile tileLike(const Schedule &schedule, const Group &group) {
  const Pipeline &pipeline = *schedule.pipeline();
  pipeline.requireIds(group.ids);
  const StagePlan &plan = schedule.plan(group.output).stages.front();
  const Stage &stage = pipeline.stagesOf(group.output).front();
  const bool atomic = plan.atomic != schedule::Atomic::No;
  return tileOf(stage, plan, tiledDims(pipeline, stage, atomic, Whole::None));
}

} // namespace tessera::search
