// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_place.h"

#include "engine/schedule/rules/inlining.h"
#include "engine/schedule/bounds/plain_reads.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tessera::schedule {

using pipeline::Func;
using pipeline::FuncId;

namespace {

std::string_view nameOf(Depth depth) {
  switch (depth) {
  case Depth::Host:
    return "on the host";
  case Depth::Block:
    return "in a block";
  case Depth::Thread:
    return "in a thread";
  }
  return "";
}

// Refuses a place with loops of one kind both around it and inside of it: a GPU has no level
// between them. Lanes are threads, too: what is stored between both has to be shared out among the
// lanes, which a func that each thread computes is not.
void checkBetween(const RuleContext &context, FuncId id, const LoopNest &nest, std::size_t at,
                  LoopKind kind) {
  bool around = false, inside = false, hasLanes = false;
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    const bool isLane = kind == LoopKind::Thread && nest.loops[l].kind == LoopKind::Lane;
    hasLanes = hasLanes || isLane;
    if (isLane || nest.loops[l].kind == kind) (l >= at ? around : inside) = true;
  }
  const std::string kinds = std::string(name(kind)) + (hasLanes ? " and lane" : "");
  if (around && inside)
    context.refuse(Rule::PlaceBetweenBlocks, id, DecisionKind::Compute,
                   context.pipeline.func(id).name + " is placed between the " + kinds +
                       " loops of " +
                       context.pipeline.stageName(context.schedule.plan(id).compute.stage),
                   "the innermost " + std::string(hasLanes ? "lane" : name(kind)) +
                       " loop, a loop inside it, or one outside all of them");
}

void checkCompute(const RuleContext &context, const Bounds &bounds, FuncId id) {
  const Func &func = context.pipeline.func(id);
  const FuncPlan &plan = context.schedule.plan(id);
  if (func.isOutput && !plan.isRoot())
    context.refuse(Rule::OutputAtRoot, id, DecisionKind::Compute,
                   func.name + " is an output and cannot be computed inside another func",
                   "a kernel of its own");
  if (plan.isInline() && func.stageCount > 1)
    context.refuse(Rule::InlineIsPure, id, DecisionKind::Compute,
                   func.name + " has updates and cannot be inlined",
                   "a kernel of its own, or a loop of a stage that reads it");
  if (plan.isInline() && func.stageCount == 1 && hasUnreadValue(context.pipeline, id))
    context.refuse(Rule::InlineIsPure, id, DecisionKind::Compute,
                   func.name + " has a value that no stage reads; where it is inlined, Halide 21 "
                               "fails at what only that value needs",
                   "a kernel of its own, or a loop of a stage that reads it");
  if (plan.isInline() && func.boundsIndices)
    context.refuse(Rule::IndexBounds, id, DecisionKind::Compute,
                   func.name + " bounds an index by its values, and Halide does not see the bounds "
                               "where it is inlined",
                   "a kernel of its own, or a loop of a stage that reads it");
  if (plan.compute.kind != Place::Kind::At) return;
  const LoopNest &nest = context.schedule.plan(plan.compute.stage).nest;
  const std::size_t at = *nest.find(plan.compute.loop);
  const auto where = [&] { return context.pipeline.stageName(plan.compute.stage); };
  if (!bounds.of(id).reached)
    context.refuse(Rule::PlaceEncloses, id, DecisionKind::Compute,
                   func.name + " is computed in " + where() + ", but is also read outside of it",
                   "a loop around all stages that read it, or a kernel of its own");
  checkBetween(context, id, nest, at, LoopKind::Block);
  checkBetween(context, id, nest, at, LoopKind::Thread);
  for (std::size_t l = at; l < nest.loops.size(); ++l)
    if (nest.loops[l].kind == LoopKind::Vectorized)
      context.refuse(Rule::VectorInnermost, id, DecisionKind::Compute,
                     func.name + " is computed inside the vectorised loop of " + where(),
                     "a loop outside the vectorised one");
}

// Refuses a store place or hoist place that differs from the compute place. For storage further
// out, Halide would use a sliding window. A plan can express such storage, but no edit proposes it.
void checkStore(const RuleContext &context, FuncId id) {
  const FuncPlan &plan = context.schedule.plan(id);
  const std::string &name = context.pipeline.func(id).name;
  for (const auto &[place, kind] :
       {std::pair(&plan.store, DecisionKind::Store), std::pair(&plan.hoist, DecisionKind::Hoist)}) {
    if (!*place || **place == plan.compute) continue;
    context.refuse(Rule::StoreApart, id, kind, name + " is not stored where it is computed",
                   "the place where it is computed");
  }
}

// How one thread loop of a stage distributes a dimension over threads.
struct ThreadShare {
  std::size_t dim = 0;
  std::int64_t threads = 1, each = 1; // each: iterations inside of the thread loop

  friend bool operator==(const ThreadShare &, const ThreadShare &) = default;
};

// One share per thread loop; none if a fused loop is distributed over threads.
std::optional<std::vector<ThreadShare>> sharesOf(const RuleContext &context, const Bounds &bounds,
                                                 pipeline::StageId id) {
  const LoopNest &nest = context.schedule.plan(id).nest;
  std::vector<ThreadShare> shares;
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    if (nest.loops[l].kind != LoopKind::Thread) continue;
    const LoopRef ref = nest.loops[l].ref;
    const Axis &axis = nest.axes[ref.axis];
    if (!axis.fused.empty()) return std::nullopt;
    shares.push_back({ref.axis, bounds.of(id).loops[l], axis.inside(ref.part)});
  }
  return shares;
}

// The shares in one of the func's own stages, by dimension of the func.
std::optional<std::vector<ThreadShare>> ownShares(const RuleContext &context, const Bounds &bounds,
                                                  pipeline::StageId id) {
  auto shares = sharesOf(context, bounds, id);
  if (!shares) return std::nullopt;
  for (ThreadShare &share : *shares) {
    const auto argument = context.pipeline.stage(id).loops[share.dim].argument;
    if (!argument) return std::nullopt;
    share.dim = *argument;
  }
  return shares;
}

// Whether a func may be stored in the registers of a block: each thread reads only what it wrote.
bool staysInThreads(const RuleContext &context, const Bounds &bounds, FuncId id) {
  const Func &func = context.pipeline.func(id);
  const auto shares = ownShares(context, bounds, func.firstStage);
  if (!shares) return false;
  for (std::uint32_t s = 1; s < func.stageCount; ++s)
    if (ownShares(context, bounds, static_cast<pipeline::StageId>(index(func.firstStage) + s)) !=
        shares)
      return false;
  return std::ranges::all_of(plainReads(context.schedule, id), [&](const PlainRead &read) {
    std::vector<ThreadShare> wanted = *shares;
    for (ThreadShare &share : wanted) {
      if (!read.loops[share.dim]) return false;
      share.dim = *read.loops[share.dim];
    }
    return sharesOf(context, bounds, read.reader) == wanted;
  });
}

// If a func that the algorithm bounds is needed beyond its bound, a kernel cannot report the error.
// So Halide 21 compiles such a func in a kernel only if it sees that the whole bounded dimension is
// computed there.
void checkBounded(const RuleContext &context, const Bounds &bounds, FuncId id) {
  const Func &func = context.pipeline.func(id);
  if (context.schedule.plan(id).isInline() || bounds.of(id).depth == Depth::Host) return;
  for (const std::string &bounded : func.bounded) {
    const auto arg = std::ranges::find(func.args, bounded) - func.args.begin();
    const Extent extent = bounds.of(id).extents[static_cast<std::size_t>(arg)];
    if (extent == Extent::Constant || extent == Extent::Whole) continue;
    context.refuse(
        Rule::BoundedInKernel, id, DecisionKind::Compute,
        "the algorithm bounds " + func.name + " in " + bounded +
            ", but only a part of that is computed in a kernel, which cannot check the bound",
        "a kernel of its own, or a compute place outside all loops over that dimension");
  }
}

void checkStorage(const RuleContext &context, const Bounds &bounds, FuncId id) {
  const FuncPlan &plan = context.schedule.plan(id);
  if (plan.isInline() || context.pipeline.func(id).isOutput) return; // output: the caller's memory
  const Depth depth = bounds.of(id).storeDepth;
  const bool fits = [&] {
    switch (plan.storage) {
    case Storage::Auto:
      return true;
    case Storage::Global:
      return true;
    case Storage::Shared:
      return depth == Depth::Block;
    case Storage::Registers:
      return depth == Depth::Block && staysInThreads(context, bounds, id);
    case Storage::Stack:
      return false;
    }
    return false;
  }();
  if (fits) return;
  const std::string_view allowed = depth == Depth::Host ? "global"
                                   : depth == Depth::Block
                                       ? "shared, global"
                                       : "auto (registers of the thread), global";
  context.refuse(Rule::StorageDepth, id, DecisionKind::Storage,
                 context.pipeline.func(id).name + " is stored " + std::string(nameOf(depth)) +
                     ", where there is no storage '" + std::string(name(plan.storage)) + "'",
                 std::string(allowed));
}

} // namespace

void checkPlaces(const RuleContext &context, const Bounds &bounds) {
  for (const FuncId id : context.funcs) {
    checkCompute(context, bounds, id);
    checkStore(context, id);
    checkBounded(context, bounds, id);
    checkStorage(context, bounds, id);
  }
}

} // namespace tessera::schedule
