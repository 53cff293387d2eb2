// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/partitions.h"

#include "engine/schedule/directives/nest_builder.h"
#include "engine/schedule/bounds/evaluated_stages.h"
#include "engine/schedule/bounds/tails.h"

#include <algorithm>
#include <optional>

namespace tessera::schedule {

using pipeline::LoopDim;
using pipeline::Stage;
using pipeline::StageId;

namespace {

bool isAtBoundary(const std::vector<pipeline::IndexMap> &maps) {
  return std::ranges::any_of(maps, [](const pipeline::IndexMap &map) {
    return std::ranges::any_of(map.atoms,
                               [](const pipeline::Atom &atom) { return atom.clamp.bounded(); });
  });
}

bool endsAtBoundary(const pipeline::Pipeline &pipeline, const Stage &stage, std::uint16_t loop) {
  const auto dim = stage.loops[loop].argument;
  if (!dim) return false;
  return std::ranges::any_of(pipeline.edgesFrom(stage.func), [&](const pipeline::EdgeId edge) {
    return isAtBoundary(pipeline.edge(edge).maps[*dim]);
  });
}

// Whether a stage reads behind a boundary, itself or through inlined funcs.
bool readsBehindBoundary(const Schedule &schedule, StageId id) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  return std::ranges::any_of(evaluatedBy(schedule, id), [&](const StageId stage) {
    return std::ranges::any_of(pipeline.edgesInto(stage), [&](const pipeline::EdgeId into) {
      return std::ranges::any_of(pipeline.edge(into).maps, isAtBoundary);
    });
  });
}

bool losesGuard(const Schedule &schedule, StageId id, const std::vector<std::uint16_t> &dims) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  return std::ranges::any_of(dims, [&](const std::uint16_t dim) {
    return endsAtBoundary(pipeline, pipeline.stage(id), dim);
  });
}

// The loops of a variant, without their order and their marks; none if a call does not fit.
std::optional<LoopNest> loopsOf(const OpaqueDirective &variant, const Stage &stage) {
  NestBuilder loops(stage);
  for (const OpaqueDirective &call : variant.calls) {
    const auto name = [&call](std::size_t i) { return std::get<LoopName>(call.arguments[i]).name; };
    Status done = Done{};
    if (call.verb == Verb::Split)
      done = loops.split(name(0), name(1), name(2), std::get<std::int64_t>(call.arguments[3]),
                         std::get<Tail>(call.arguments[4]));
    else if (call.verb == Verb::Fuse)
      done = loops.fuse(name(0), name(1), name(2));
    if (!done) return std::nullopt;
  }
  return loops.nest();
}

bool partitionsWrongly(const Schedule &schedule, StageId id, const LoopNest &nest) {
  const Stage &stage = schedule.pipeline()->stage(id);
  const bool isForOthers = schedule.plan(stage.func).compute.kind == Place::Kind::At;
  bool isGuarded = false;
  for (std::uint16_t a = 0; a < nest.axes.size(); ++a) {
    const std::vector<Split> &splits = nest.axes[a].splits;
    if (splits.empty()) continue;
    const std::vector<std::uint16_t> dims = dimsOf(nest, {a, 0});
    const bool reduces = std::ranges::any_of(dims, [&](const std::uint16_t dim) {
      return stage.loops[dim].kind == LoopDim::Kind::Reduction;
    });
    if (!guards(performed(splits.front().tail, stage.index > 0, reduces))) continue;
    isGuarded = true;
    if (splits.size() >= 2 && losesGuard(schedule, id, dims)) return true;
  }
  return isForOthers && isGuarded && readsBehindBoundary(schedule, id);
}

// Calls `visit` with each variant that has loops of its own, which Halide would partition wrongly.
template <typename Visit>
void visitWrong(std::vector<OpaqueDirective> &calls, const Schedule &schedule, StageId id,
                const Visit &visit) {
  for (OpaqueDirective &call : calls) {
    if (call.verb != Verb::Specialize || !call.hasOwnLoops) continue;
    const auto loops = loopsOf(call, schedule.pipeline()->stage(id));
    if (loops && partitionsWrongly(schedule, id, *loops)) visit(call.calls);
    visitWrong(call.calls, schedule, id, visit);
  }
}

bool isNeverPartition(const OpaqueDirective &call) { return call.verb == Verb::NeverPartitionAll; }

} // namespace

bool partitionsWrongly(const Schedule &schedule, StageId id) {
  return partitionsWrongly(schedule, id, schedule.plan(id).nest);
}

void addNeverPartition(std::vector<OpaqueDirective> &calls, const Schedule &schedule, StageId id) {
  visitWrong(calls, schedule, id, [](std::vector<OpaqueDirective> &of) {
    if (std::ranges::any_of(of, isNeverPartition)) return;
    // Behind all calls that make loops, and before the variants that copy these.
    const auto copies = std::ranges::find_if(of, [](const OpaqueDirective &call) {
      const bool isVariant = call.verb == Verb::Specialize || call.verb == Verb::SpecializeFail;
      return isVariant && !call.hasOwnLoops;
    });
    of.insert(copies, OpaqueDirective{Verb::NeverPartitionAll, {}, false, {}, {}});
  });
}

void removeNeverPartition(std::vector<OpaqueDirective> &calls, const Schedule &schedule,
                          StageId id) {
  visitWrong(calls, schedule, id,
             [](std::vector<OpaqueDirective> &of) { std::erase_if(of, isNeverPartition); });
}

} // namespace tessera::schedule
