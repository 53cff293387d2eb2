// SPDX-License-Identifier: MIT
#include "engine/schedule/rules.h"

#include <algorithm>

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

// Loops of one kind around a place and inside of it: a GPU has no level between them.
void checkBetween(const RuleContext &context, FuncId id, const LoopNest &nest, std::size_t at,
                  LoopKind kind) {
  bool around = false, inside = false;
  for (std::size_t l = 0; l < nest.loops.size(); ++l)
    if (nest.loops[l].kind == kind) (l >= at ? around : inside) = true;
  if (around && inside)
    context.refuse(Rule::PlaceBetweenBlocks, id, DecisionKind::Compute,
                   context.pipeline.func(id).name + " is placed between the " +
                       std::string(name(kind)) + " loops of " +
                       context.pipeline.stageName(context.schedule.plan(id).compute.stage),
                   "the innermost " + std::string(name(kind)) +
                       " loop, a loop inside of it, or one outside of all of them");
}

void checkCompute(const RuleContext &context, const Shape &shape, FuncId id) {
  const Func &func = context.pipeline.func(id);
  const FuncPlan &plan = context.schedule.plan(id);
  if (func.isOutput && !plan.isRoot())
    context.refuse(Rule::OutputAtRoot, id, DecisionKind::Compute,
                   func.name + " is an output and cannot be computed inside another func",
                   "its own kernel");
  if (plan.isInline() && func.stageCount > 1)
    context.refuse(Rule::InlineIsPure, id, DecisionKind::Compute,
                   func.name + " has updates and cannot be inlined",
                   "its own kernel, or a loop of what reads it");
  if (plan.compute.kind != Place::Kind::At) return;
  const LoopNest &nest = context.schedule.plan(plan.compute.stage).nest;
  const std::size_t at = *nest.find(plan.compute.loop);
  const std::string where = context.pipeline.stageName(plan.compute.stage);
  if (!shape.of(id).reached)
    context.refuse(Rule::PlaceEncloses, id, DecisionKind::Compute,
                   func.name + " is computed in " + where + ", but is also read outside of it",
                   "a loop around all that read it, or its own kernel");
  checkBetween(context, id, nest, at, LoopKind::Block);
  checkBetween(context, id, nest, at, LoopKind::Thread);
  const LoopKind kind = nest.loops[at].kind;
  if (kind == LoopKind::Vectorized)
    context.refuse(Rule::PlaceInVector, id, DecisionKind::Compute,
                   func.name + " is computed inside the vectorised loop of " + where,
                   "the next loop outside of it");
}

// Storage further out than computation slides: the space for it is there, the moves are not.
void checkStore(const RuleContext &context, FuncId id) {
  const FuncPlan &plan = context.schedule.plan(id);
  const std::string &name = context.pipeline.func(id).name;
  for (const auto &[place, kind] :
       {std::pair(&plan.store, DecisionKind::Store), std::pair(&plan.hoist, DecisionKind::Hoist)}) {
    if (!*place || **place == plan.compute) continue;
    context.refuse(Rule::StoreApart, id, kind, name + " is stored elsewhere than it is computed",
                   "the place where it is computed");
  }
}

void checkStorage(const RuleContext &context, const Shape &shape, FuncId id) {
  const FuncPlan &plan = context.schedule.plan(id);
  if (plan.isInline()) return;
  const Depth depth = shape.of(id).storeDepth;
  const bool fits = [&] {
    switch (plan.storage) {
    case Storage::Auto:
      return true;
    case Storage::Global:
      return depth != Depth::Thread;
    case Storage::Shared:
      return depth == Depth::Block;
    case Storage::Registers:
    case Storage::Stack:
      return depth == Depth::Thread;
    }
    return false;
  }();
  if (fits) return;
  const std::string_view allowed = depth == Depth::Host    ? "global"
                                   : depth == Depth::Block ? "shared, global"
                                                           : "registers, stack";
  context.refuse(Rule::StorageDepth, id, DecisionKind::Storage,
                 context.pipeline.func(id).name + " is stored " + std::string(nameOf(depth)) +
                     ", which has no storage '" + std::string(name(plan.storage)) + "'",
                 std::string(allowed));
}

} // namespace

void checkPlaces(const RuleContext &context, const Shape &shape) {
  for (std::size_t f = 0; f < context.pipeline.funcs().size(); ++f) {
    const auto id = static_cast<FuncId>(f);
    checkCompute(context, shape, id);
    checkStore(context, id);
    checkStorage(context, shape, id);
  }
}

} // namespace tessera::schedule
