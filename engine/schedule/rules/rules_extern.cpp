// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_extern.h"

#include <algorithm>
#include <optional>
#include <string>

namespace tessera::schedule {

using pipeline::Func;
using pipeline::FuncId;
using pipeline::StageId;

namespace {

// The first decision in which a plan differs from what Halide does without a directive; none if
// it is as that.
std::optional<DecisionKind> firstDecided(const FuncPlan &plan, const pipeline::Stage &stage) {
  if (!plan.isRoot()) return DecisionKind::Compute;
  if (plan.store && *plan.store != plan.compute) return DecisionKind::Store;
  if (plan.hoist && *plan.hoist != plan.compute) return DecisionKind::Hoist;
  if (plan.storage != Storage::Auto) return DecisionKind::Storage;
  if (!plan.layout.empty() || !plan.storageDims.empty()) return DecisionKind::Layout;
  if (!plan.bounds.empty()) return DecisionKind::Bounds;
  const StagePlan &one = plan.stages.front();
  if (one.computeWith) return DecisionKind::ComputeWith;
  if (!one.opaque.empty()) return DecisionKind::Opaque;
  if (one.atomic != Atomic::No || one.allowRaces) return DecisionKind::Reduction;
  const bool isPlain = one.nest == plainNest(stage) && !one.neverPartition;
  return isPlain ? std::nullopt : std::optional(DecisionKind::Order);
}

// "a is read by e, an extern stage, ", if an extern stage reads the func.
std::string readText(const pipeline::Pipeline &pipeline, FuncId id) {
  for (const pipeline::EdgeId edge : pipeline.edgesFrom(id)) {
    const StageId reader = pipeline.edge(edge).consumer;
    if (const Func &func = pipeline.func(pipeline.stage(reader).func); func.externCall)
      return pipeline.func(id).name + " is read by " + func.name + ", an extern stage, ";
  }
  return {};
}

void checkItself(const RuleContext &context, FuncId id, const Func &func) {
  const auto decided =
      firstDecided(context.schedule.plan(id), context.pipeline.stage(func.firstStage));
  if (decided)
    context.refuse(Rule::ExternStage, id, *decided, whyUndecided(func),
                   "a call between the kernels, as it is");
}

void checkHanded(const RuleContext &context, FuncId id) {
  const FuncPlan &plan = context.schedule.plan(id);
  if (!plan.isRoot())
    context.refuse(Rule::ExternStage, id, DecisionKind::Compute, whyWhole(context.pipeline, id),
                   "a kernel of its own");
  else if (plan.storage != Storage::Auto && plan.storage != Storage::Global)
    context.refuse(Rule::ExternStage, id, DecisionKind::Storage, whyWhole(context.pipeline, id),
                   "auto, global");
  const auto folds = [](const StorageDim &dim) { return dim.fold != 0; };
  if (!plan.layout.empty() || std::ranges::any_of(plan.storageDims, folds))
    context.refuse(Rule::ExternStage, id, DecisionKind::Layout,
                   readText(context.pipeline, id) +
                       "whose function may count on the layout that the pipeline declares",
                   "the layout as declared");
}

bool isOfExtern(const RuleContext &context, StageId stage) {
  const auto &pipeline = context.pipeline;
  return index(stage) < pipeline.stages().size() &&
         pipeline.func(pipeline.stage(stage).func).externCall.has_value();
}

void checkPlacesIn(const RuleContext &context, FuncId id, const Func &func) {
  const FuncPlan &plan = context.schedule.plan(id);
  const auto check = [&](const Place &place, DecisionKind kind) {
    if (place.kind == Place::Kind::At && isOfExtern(context, place.stage))
      context.refuse(Rule::ExternStage, id, kind,
                     func.name + " is placed in " + context.pipeline.stageName(place.stage) +
                         ", an extern stage, whose loops are inside of its function",
                     "a kernel of its own");
  };
  check(plan.compute, DecisionKind::Compute);
  if (plan.store) check(*plan.store, DecisionKind::Store);
  if (plan.hoist) check(*plan.hoist, DecisionKind::Hoist);
  for (std::uint32_t s = 0; s < plan.stages.size(); ++s)
    if (const auto &shared = plan.stages[s].computeWith;
        shared && isOfExtern(context, shared->stage))
      context.refuse(Rule::ExternStage, {id, s, DecisionKind::ComputeWith, 0},
                     func.name + " cannot share loops with " +
                         context.pipeline.stageName(shared->stage) + ", an extern stage",
                     "loops of its own");
}

} // namespace

std::string whyUndecided(const Func &func) {
  if (!func.externCall) return {};
  return func.name + " is an extern stage: the function " + func.externCall->function +
         " computes it, and nothing about it can be decided";
}

std::string whyWhole(const pipeline::Pipeline &pipeline, FuncId func) {
  const std::string text = readText(pipeline, func);
  return text.empty() ? text : text + "which needs all of it in memory";
}

void checkExterns(const RuleContext &context) {
  for (const FuncId id : context.funcs) {
    const Func &func = context.pipeline.func(id);
    if (func.externCall)
      checkItself(context, id, func);
    else if (func.isHanded)
      checkHanded(context, id);
    checkPlacesIn(context, id, func);
  }
}

} // namespace tessera::schedule
