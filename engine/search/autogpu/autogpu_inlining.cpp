// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_inlining.h"

#include "engine/pipeline/measures.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/inlining.h"
#include "engine/search/kernels/expression_sizes.h"

#include <algorithm>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Stage;
using pipeline::StageId;
using schedule::FuncPlan;
using schedule::Place;
using schedule::Schedule;

namespace {

// Whether a stage reads exactly its own point, as in f(x, y) = … g(x, y) …
bool isReadAtItsPoint(const Pipeline &pipeline, const pipeline::Edge &edge) {
  const Stage &consumer = pipeline.stage(edge.consumer);
  for (std::size_t d = 0; d < edge.maps.size(); ++d) {
    if (edge.maps[d].size() != 1) return false;
    const pipeline::IndexMap &map = edge.maps[d].front();
    if (map.atoms.size() != 1 || map.offset != pipeline::Interval{0, 0}) return false;
    const pipeline::Atom &atom = map.atoms.front();
    if (atom.scale != 1 || atom.divisor != 1 || atom.offset != pipeline::Interval{0, 0} ||
        atom.clamp != pipeline::kEverything || atom.terms.size() != 1 ||
        atom.terms.front().coefficient != 1 ||
        consumer.loops[atom.terms.front().loop].argument != d)
      return false;
  }
  return true;
}

// Whether only one other func reads `func`, point by point. Not in the paper: a reader with a
// reduction does not count, since each step of the reduction would compute `func` again.
bool isConsumedPointwise(const Pipeline &pipeline, FuncId func) {
  const auto readers = pipeline.edgesFrom(func);
  if (readers.empty()) return false;
  const FuncId only = pipeline.stage(pipeline.edge(readers.front()).consumer).func;
  return std::ranges::all_of(readers, [&](pipeline::EdgeId id) {
    const pipeline::Edge &edge = pipeline.edge(id);
    const Stage &consumer = pipeline.stage(edge.consumer);
    return consumer.func == only && !pipeline::isReduction(consumer) &&
           isReadAtItsPoint(pipeline, edge);
  });
}

// The func that alone reads `func` point by point, also through funcs that are inlined. Empty if
// there is none. A reader with a reduction does not count here either.
std::optional<FuncId> pointwiseReader(const Schedule &schedule, FuncId func) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::optional<FuncId> only;
  for (const pipeline::EdgeId id : pipeline.edgesFrom(func)) {
    const pipeline::Edge &edge = pipeline.edge(id);
    const Stage &consumer = pipeline.stage(edge.consumer);
    if (pipeline::isReduction(consumer) || !isReadAtItsPoint(pipeline, edge)) return std::nullopt;
    const std::optional<FuncId> reader = schedule.plan(consumer.func).isInline()
                                             ? pointwiseReader(schedule, consumer.func)
                                             : std::optional(consumer.func);
    if (!reader || (only && *only != *reader)) return std::nullopt;
    only = reader;
  }
  return only;
}

// As in Halide's CPU scheduler: a func is cheap if its operations (1 for each load) plus its loaded
// bytes cost no more than a load of the func.
bool isCheap(const Pipeline &pipeline, const Stage &stage) {
  const pipeline::Func &func = pipeline.func(stage.func);
  std::int64_t cost = 0, call = 1;
  for (const pipeline::OpCount &operation : stage.operations) {
    if (operation.kind == pipeline::OpKind::Transcendental) return false;
    if (operation.kind != pipeline::OpKind::Load) cost += operation.count;
  }
  for (const pipeline::Access &load : stage.loads) {
    const bool isFunc = load.producer.kind == pipeline::Producer::Kind::Func;
    const pipeline::ScalarType type =
        isFunc ? pipeline.func(FuncId{load.producer.index}).types[load.tupleElement]
               : pipeline.inputs()[load.producer.index].type;
    cost += load.count * (1 + type.bytes());
  }
  for (const pipeline::ScalarType &type : func.types)
    call = std::max<std::int64_t>(call, 1 + type.bytes());
  return cost <= call;
}

} // namespace

bool isTrivialForAutoGpu(const Pipeline &pipeline, FuncId id) {
  const pipeline::Func &func = pipeline.func(id);
  if (!schedule::mayBeInlined(pipeline, id) || pipeline.edgesFrom(id).empty()) return false;
  return isConsumedPointwise(pipeline, id) || isCheap(pipeline, pipeline.stage(func.firstStage));
}

Schedule withTrivialInlined(const Schedule &schedule, const std::set<FuncId> &kept,
                            const std::set<FuncId> &held, AutoGpuTrivial trivial) {
  const Pipeline &pipeline = *schedule.pipeline();
  Schedule result = schedule;
  for (std::uint32_t f = 0; f < pipeline.funcs().size(); ++f) {
    const FuncId func{f};
    if (kept.contains(func) || held.contains(func) || !schedule.plan(func).isInline()) continue;
    const auto readers = schedule::readersOf(schedule, func);
    if (std::ranges::any_of(readers,
                            [&](StageId id) { return kept.contains(pipeline.stage(id).func); }))
      continue;
    FuncPlan plan;
    for (const Stage &stage : pipeline.stagesOf(func))
      plan.stages.push_back({schedule::kernelNest(stage)});
    result.set(func, std::move(plan));
  }
  const auto inlineWhere = [&](const auto &isTrivial) {
    bool any = false;
    for (const FuncId func : pipeline.allFuncs()) {
      if (kept.contains(func) || held.contains(func) || result.plan(func).isInline() ||
          !isTrivial(func))
        continue;
      const auto readers = schedule::readersOf(result, func);
      if (std::ranges::any_of(readers,
                              [&](StageId id) { return kept.contains(pipeline.stage(id).func); }))
        continue;
      if (auto inlined = withInlined(result, func)) {
        result = std::move(*inlined);
        any = true;
      }
    }
    return any;
  };
  inlineWhere([&](FuncId func) { return isTrivialForAutoGpu(pipeline, func); });
  if (trivial == AutoGpuTrivial::Once) return result;
  while (inlineWhere([&](FuncId func) {
    return schedule::mayBeInlined(pipeline, func) && pointwiseReader(result, func);
  })) {
  }
  return result;
}

std::optional<Schedule> withInlined(const Schedule &schedule, FuncId func) {
  const Pipeline &pipeline = *schedule.pipeline();
  if (!schedule::mayBeInlined(pipeline, func) || schedule.plan(func).isInline())
    return std::nullopt;
  Schedule result = schedule;
  FuncPlan plan;
  plan.compute = Place::inlined();
  for (const Stage &stage : pipeline.stagesOf(func))
    plan.stages.push_back({schedule::plainNest(stage)});
  result.set(func, std::move(plan));
  ExpressionSizes sizes(result);
  for (const StageId reader : schedule::readersOf(result, func))
    if (sizes.of(reader) > kMostOperations) return std::nullopt;
  return result;
}

} // namespace tessera::search
