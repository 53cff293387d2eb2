// SPDX-License-Identifier: MIT
#include "engine/search/kernels/kept_kernels.h"

#include "engine/search/kernels/frozen_decisions.h"

#include "engine/schedule/bounds/bounds.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::search {

using pipeline::FuncId;
using schedule::DecisionKind;

namespace {

// Pairs of kernels that have stages with common loops (compute_with).
std::vector<std::pair<FuncId, FuncId>> sharing(const schedule::Schedule &schedule,
                                               const schedule::Bounds &bounds) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  std::vector<std::pair<FuncId, FuncId>> kernels;
  for (std::uint32_t f = 0; f < pipeline.funcs().size(); ++f)
    for (const schedule::StagePlan &stage : schedule.plan(FuncId{f}).stages)
      if (stage.computeWith)
        kernels.emplace_back(bounds.of(FuncId{f}).kernel,
                             bounds.of(pipeline.stage(stage.computeWith->stage).func).kernel);
  return kernels;
}

} // namespace

std::set<FuncId> keptFuncs(const schedule::Schedule &schedule) {
  std::set<FuncId> kept, kernels;
  const schedule::Bounds bounds(schedule);
  for (const auto &[key, mark] : heldMarks(schedule)) {
    if (!mark.frozen || key.kind == DecisionKind::RegisterCap || key.kind == DecisionKind::Promises)
      continue;
    kept.insert(key.func);
    if (!schedule.plan(key.func).isInline()) kernels.insert(bounds.of(key.func).kernel);
  }
  const auto shared = sharing(schedule, bounds);
  for (std::size_t before = 0; before != kernels.size();) {
    before = kernels.size();
    for (const auto &[one, other] : shared)
      if (kernels.contains(one) || kernels.contains(other)) kernels.insert({one, other});
  }
  for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f)
    if (!schedule.plan(FuncId{f}).isInline() && kernels.contains(bounds.of(FuncId{f}).kernel))
      kept.insert(FuncId{f});
  return kept;
}

std::set<FuncId> keptAlone(const schedule::Schedule &schedule, const std::set<FuncId> &kept) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  std::set<FuncId> funcs;
  for (const FuncId func : kept) {
    const auto &stages = schedule.plan(func).stages;
    if (schedule.plan(func).isRoot() && !pipeline.func(func).externCall &&
        std::ranges::none_of(stages, [](const auto &stage) { return bool(stage.computeWith); }))
      funcs.insert(func);
  }
  for (const FuncId func : kept) {
    for (const schedule::StagePlan &stage : schedule.plan(func).stages)
      if (stage.computeWith) funcs.erase(pipeline.stage(stage.computeWith->stage).func);
    if (funcs.contains(func)) continue;
    // It is inlined into, or computed inside of, its readers' kernels.
    for (const pipeline::StageId reader : schedule::readersOf(schedule, func))
      funcs.erase(pipeline.stage(reader).func);
    if (schedule.plan(func).compute.kind == schedule::Place::Kind::At)
      funcs.erase(pipeline.stage(schedule.plan(func).compute.stage).func);
  }
  return funcs;
}

std::set<FuncId> withTheirInlined(const schedule::Schedule &schedule,
                                  const std::set<FuncId> &kept) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  std::set<FuncId> all = kept;
  for (const FuncId func : pipeline.allFuncs())
    if (schedule.plan(func).isInline() &&
        std::ranges::any_of(schedule::readersOf(schedule, func), [&](pipeline::StageId id) {
          return kept.contains(pipeline.stage(id).func);
        }))
      all.insert(func);
  return all;
}

} // namespace tessera::search
