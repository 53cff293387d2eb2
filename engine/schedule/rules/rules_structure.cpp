// SPDX-License-Identifier: MIT

#include "engine/schedule/rules/rules_structure.h"

#include <algorithm>
#include <numeric>
#include <ranges>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::StageId;

namespace {

bool isUsed(const LoopNest &nest, LoopRef part) {
  const auto later = nest.axes | std::views::drop(part.axis + 1U);
  return nest.find(part) || std::ranges::any_of(later, [part](const Axis &axis) {
           return std::ranges::find(axis.fused, part) != axis.fused.end();
         });
}

// Whether every part of every axis is used exactly once: as a loop of the nest, or fused into a
// later axis. There are as many uses as parts, so it suffices that each part is used.
bool isWhole(const LoopNest &nest, std::size_t dims) {
  if (nest.axes.size() < dims) return false;
  std::size_t parts = 0, uses = nest.loops.size();
  for (std::size_t a = 0; a < nest.axes.size(); ++a) {
    const Axis &axis = nest.axes[a];
    if (axis.fused.empty() != (a < dims) || axis.fused.size() == 1) return false;
    parts += axis.parts();
    uses += axis.fused.size();
  }
  if (uses != parts) return false;
  for (std::uint16_t a = 0; a < nest.axes.size(); ++a)
    for (std::uint16_t p = 0; p < nest.axes[a].parts(); ++p)
      if (!isUsed(nest, {a, p})) return false;
  return true;
}

constexpr std::int64_t kLargestFactor = INT32_MAX; // largest extent of Halide's loops

void checkFactors(const RuleContext &context, StageId stage, const LoopNest &nest) {
  for (std::uint16_t a = 0; a < nest.axes.size(); ++a)
    for (const Split &split : nest.axes[a].splits)
      if (split.factor < 1 || split.factor > kLargestFactor)
        context.refuse(Rule::FactorDivides, stage, DecisionKind::Factors, a,
                       "it has a factor of " + std::to_string(split.factor),
                       "1 to " + std::to_string(kLargestFactor));
}

void checkPlace(const RuleContext &context, FuncId id, const Place &place, DecisionKind kind) {
  if (place.kind != Place::Kind::At) return;
  const std::string &name = context.pipeline.func(id).name;
  const bool exists = index(place.stage) < context.pipeline.stages().size() &&
                      index(context.pipeline.stage(place.stage).func) > index(id);
  if (!exists) {
    context.refuse(Rule::PlaceExists, id, kind,
                   name + " is placed in a stage that does not come after it",
                   "a stage that reads it, directly or through other stages");
    return;
  }
  const FuncPlan &around = context.schedule.plan(context.pipeline.stage(place.stage).func);
  const LoopNest &nest = around.stages[context.pipeline.stage(place.stage).index].nest;
  if (!around.isInline() && nest.find(place.loop)) return;
  const std::string where = context.pipeline.stageName(place.stage);
  if (around.isInline())
    context.refuse(Rule::PlaceExists, id, kind,
                   name + " is placed in " + where + ", which is inlined and has no loops",
                   "a loop of the stage that " + where + " is inlined into");
  else
    context.refuse(Rule::PlaceExists, id, kind,
                   name + " is placed at a loop that " + where + " does not have",
                   "one of its " + std::to_string(nest.loops.size()) + " loops");
}

bool isPermutation(const std::vector<std::uint16_t> &layout, std::size_t dims) {
  std::vector<std::uint16_t> all(dims);
  std::iota(all.begin(), all.end(), std::uint16_t{0});
  return std::ranges::is_permutation(layout, all);
}

} // namespace

void checkStructure(const RuleContext &context) {
  for (const FuncId id : context.funcs) {
    const pipeline::Func &func = context.pipeline.func(id);
    const FuncPlan &plan = context.schedule.plan(id);
    checkPlace(context, id, plan.compute, DecisionKind::Compute);
    if (plan.store) checkPlace(context, id, *plan.store, DecisionKind::Store);
    if (plan.hoist) checkPlace(context, id, *plan.hoist, DecisionKind::Hoist);
    if (!plan.layout.empty() && !isPermutation(plan.layout, func.args.size()))
      context.refuse(Rule::NestWhole, id, DecisionKind::Layout,
                     func.name + ": the storage order must list each dimension exactly once");
    const auto listed = [&](std::size_t dims) { return dims == 0 || dims == func.args.size(); };
    if (!listed(plan.storageDims.size()) || !listed(plan.bounds.size()))
      context.refuse(Rule::NestWhole, id, DecisionKind::Bounds,
                     func.name +
                         ": storage and bounds must be given for each dimension or for none");
    for (const StageId stage : context.pipeline.stageIdsOf(id)) {
      const LoopNest &nest = plan.stages[context.pipeline.stage(stage).index].nest;
      if (!isWhole(nest, context.pipeline.stage(stage).loops.size()))
        context.refuse(Rule::NestWhole, stage, DecisionKind::Order, 0,
                       "its loops do not cover each part of its dimensions exactly once",
                       "every part of every dimension exactly once");
      else
        checkFactors(context, stage, nest);
    }
  }
}

} // namespace tessera::schedule
