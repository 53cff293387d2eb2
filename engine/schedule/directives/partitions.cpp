// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/partitions.h"

#include "engine/schedule/bounds/evaluated_stages.h"
#include "engine/schedule/bounds/tails.h"

#include <algorithm>

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

} // namespace

bool partitionsWrongly(const Schedule &schedule, StageId id) {
  const Stage &stage = schedule.pipeline()->stage(id);
  const LoopNest &nest = schedule.plan(id).nest;
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

} // namespace tessera::schedule
