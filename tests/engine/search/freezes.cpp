// SPDX-License-Identifier: MIT
#include "tests/engine/search/freezes.h"

#include "engine/schedule/bounds/bounds.h"
#include "tests/engine/schedule/scheduled.h"

#include <functional>

namespace tessera::search::testing {

using pipeline::FuncId;
using schedule::DecisionKey;
using schedule::DecisionKind;
using schedule::FuncPlan;
using schedule::LoopNest;
using schedule::Place;
using schedule::Schedule;
using schedule::Split;
using schedule::StagePlan;
using schedule::testing::Random;

namespace {

constexpr schedule::Mark kFrozen{schedule::Origin::User, true};

std::string number(std::int64_t value) { return std::to_string(value) + " "; }

std::string textOf(const Schedule &schedule, const Place &place) {
  if (place.kind != Place::Kind::At) return place.kind == Place::Kind::Root ? "root" : "inline";
  const LoopNest &nest = schedule.plan(place.stage).nest;
  const auto at = nest.find(place.loop);
  return "at " + schedule.pipeline()->stageName(place.stage) + " " + number(place.loop.axis) +
         number(place.loop.part) +
         (at ? std::string(name(nest.loops[*at].kind)) : std::string("that is not there"));
}

template <typename Part>
std::string splitsOf(const LoopNest &nest, std::uint16_t axis, Part part) {
  std::string text;
  if (axis < nest.axes.size())
    for (const Split &split : nest.axes[axis].splits)
      text += part(split);
  return text;
}

std::string orderOf(const StagePlan &plan) {
  std::string text = plan.nest.singleThread ? "one thread " : "";
  if (plan.neverPartition) text += "whole ";
  for (const schedule::Loop &loop : plan.nest.loops)
    text += number(loop.ref.axis) + number(loop.ref.part) + std::string(name(loop.kind)) + ", ";
  return text;
}

std::string fusionOf(const LoopNest &nest) {
  std::string text;
  for (const schedule::Axis &axis : nest.axes) {
    text += "| ";
    for (const schedule::LoopRef ref : axis.fused)
      text += number(ref.axis) + number(ref.part) + ", ";
  }
  return text;
}

std::string layoutOf(const FuncPlan &plan) {
  std::string text;
  for (const std::uint16_t dim : plan.layout)
    text += number(dim);
  for (const schedule::StorageDim &dim : plan.storageDims)
    text += "| " + number(dim.alignment) + number(dim.bound) + number(dim.fold);
  return text;
}

std::string boundsOf(const FuncPlan &plan) {
  std::string text;
  for (const schedule::RegionBound &bound : plan.bounds)
    text += "| " + number(bound.min.value_or(-1)) + number(bound.extent.value_or(-1)) +
            number(bound.modulus) + number(bound.remainder);
  return text;
}

std::string valueOf(const Schedule &schedule, const StagePlan &plan, const DecisionKey &decision) {
  switch (decision.kind) {
  case DecisionKind::Factors:
    return splitsOf(plan.nest, decision.axis,
                    [](const Split &split) { return number(split.factor); });
  case DecisionKind::Tails:
    return splitsOf(plan.nest, decision.axis,
                    [](const Split &split) { return std::string(name(split.tail)) + " "; });
  case DecisionKind::Fusion:
    return fusionOf(plan.nest);
  case DecisionKind::Order:
    return orderOf(plan);
  case DecisionKind::Reduction:
    return number(static_cast<int>(plan.atomic)) + number(plan.allowRaces ? 1 : 0);
  default:
    return plan.computeWith
               ? textOf(schedule, Place::at(plan.computeWith->stage, plan.computeWith->loop))
               : "alone";
  }
}

void freezeAll(Schedule &schedule, const std::function<bool(const DecisionKey &)> &which) {
  for (const DecisionKey &decision : decisionsOf(schedule))
    if (which(decision)) freeze(schedule, decision);
}

bool isOfFunc(const DecisionKey &decision) { return decision.kind < DecisionKind::RegisterCap; }

} // namespace

std::vector<DecisionKey> decisionsOf(const Schedule &schedule) {
  std::vector<DecisionKey> decisions;
  for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
    const FuncId func{f};
    for (const DecisionKind kind :
         {DecisionKind::Compute, DecisionKind::Store, DecisionKind::Hoist, DecisionKind::Storage,
          DecisionKind::Layout, DecisionKind::Bounds})
      decisions.push_back({func, 0, kind, 0});
    const FuncPlan &plan = schedule.plan(func);
    for (std::uint32_t s = 0; s < plan.stages.size(); ++s) {
      for (const DecisionKind kind : {DecisionKind::Fusion, DecisionKind::Order,
                                      DecisionKind::Reduction, DecisionKind::ComputeWith})
        decisions.push_back({func, s, kind, 0});
      for (std::uint16_t a = 0; a < plan.stages[s].nest.axes.size(); ++a) {
        decisions.push_back({func, s, DecisionKind::Factors, a});
        decisions.push_back({func, s, DecisionKind::Tails, a});
      }
    }
  }
  decisions.push_back({{}, 0, DecisionKind::RegisterCap, 0});
  decisions.push_back({{}, 0, DecisionKind::Promises, 0});
  return decisions;
}

std::string valueOf(const Schedule &schedule, const DecisionKey &decision) {
  if (decision.kind == DecisionKind::RegisterCap) return number(schedule.settings().registerCap);
  if (decision.kind == DecisionKind::Promises) {
    std::string text;
    for (const report::Promise &promise : schedule.settings().promises)
      text += promise.buffer + " " + number(promise.dim) + number(promise.hostAlignment);
    return text;
  }
  const FuncPlan &plan = schedule.plan(decision.func);
  switch (decision.kind) {
  case DecisionKind::Compute:
    return textOf(schedule, plan.compute);
  case DecisionKind::Store:
    return plan.store ? textOf(schedule, *plan.store) : "there";
  case DecisionKind::Hoist:
    return plan.hoist ? textOf(schedule, *plan.hoist) : "there";
  case DecisionKind::Storage:
    return std::string(name(plan.storage));
  case DecisionKind::Layout:
    return layoutOf(plan);
  case DecisionKind::Bounds:
    return boundsOf(plan);
  default:
    return valueOf(schedule, plan.stages[decision.stage], decision);
  }
}

// Returns the key of the same decision in the schedule `there`. That schedule may have other added
// funcs, so a func may have a different index in it.
static DecisionKey movedTo(const Schedule &there, const Schedule &here, DecisionKey decision) {
  if (isOfFunc(decision))
    decision.func = schedule::testing::funcOf(there, here.pipeline()->func(decision.func).name);
  return decision;
}

bool hasMarksOf(const Schedule &found, const Schedule &start) {
  schedule::Marks moved;
  for (const auto &[decision, mark] : start.marks())
    moved.emplace(movedTo(found, start, decision), mark);
  return found.marks() == moved;
}

std::vector<std::string> changedFrozen(const Schedule &start, const Schedule &found) {
  std::vector<std::string> changed;
  for (const auto &[decision, mark] : start.marks()) {
    const DecisionKey there = movedTo(found, start, decision);
    const std::string before = valueOf(start, decision), after = valueOf(found, there);
    if (!mark.frozen || before == after) continue;
    const std::string of =
        isOfFunc(decision) ? start.pipeline()->func(decision.func).name : "the schedule";
    changed.push_back(std::string(name(decision.kind)) + " of " + of + ", stage " +
                      number(decision.stage) + "axis " + number(decision.axis) + ": '" + before +
                      "' became '" + after + "'");
  }
  return changed;
}

void freeze(Schedule &schedule, const DecisionKey &decision) {
  schedule.setMark(decision, kFrozen);
}

void freeze(Schedule &schedule, std::string_view func) {
  const FuncId id = schedule::testing::funcOf(schedule, func);
  freezeAll(schedule, [id](const DecisionKey &decision) {
    return isOfFunc(decision) && decision.func == id;
  });
}

void freeze(Schedule &schedule, std::string_view func, DecisionKind kind) {
  const FuncId id = schedule::testing::funcOf(schedule, func);
  freezeAll(schedule, [&](const DecisionKey &decision) {
    return decision.kind == kind && decision.func == id;
  });
}

void freezeSome(Schedule &schedule, Random &random) {
  const std::vector<DecisionKey> all = decisionsOf(schedule);
  const DecisionKey one = all[random() % all.size()];
  const auto some = [&random](std::uint64_t oneIn) { return random() % oneIn == 0; };
  switch (random() % 8) {
  case 0:
    return freeze(schedule, one);
  case 1:
    freeze(schedule, one);
    return freeze(schedule, all[random() % all.size()]);
  case 2: // all decisions of a stage; stage 0 has those of its func too, an update its place
    return freezeAll(schedule, [&](const DecisionKey &decision) {
      return isOfFunc(decision) && decision.func == one.func &&
             (decision.stage == one.stage || decision.kind == DecisionKind::Compute);
    });
  case 3: // all decisions of a func
    return freezeAll(schedule, [&](const DecisionKey &decision) {
      return isOfFunc(decision) && decision.func == one.func;
    });
  case 4: { // all decisions of a kernel
    const schedule::Bounds bounds(schedule);
    if (schedule.plan(one.func).isInline()) return freeze(schedule, one);
    return freezeAll(schedule, [&](const DecisionKey &decision) {
      return isOfFunc(decision) && !schedule.plan(decision.func).isInline() &&
             bounds.of(decision.func).kernel == bounds.of(one.func).kernel;
    });
  }
  case 5: // all decisions of one kind
    return freezeAll(schedule,
                     [&](const DecisionKey &decision) { return decision.kind == one.kind; });
  case 6:
    return freezeAll(schedule, [&](const DecisionKey &) { return some(8); });
  default:
    return freezeAll(schedule, [&](const DecisionKey &) { return !some(8); });
  }
}

} // namespace tessera::search::testing
