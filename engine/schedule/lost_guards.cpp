// SPDX-License-Identifier: MIT
#include "engine/schedule/lost_guards.h"

#include "engine/schedule/tails.h"

#include <algorithm>

namespace tessera::schedule {

using pipeline::Edge;
using pipeline::LoopDim;
using pipeline::Stage;
using pipeline::StageId;

namespace {

bool endsAtBoundary(const Edge &read, std::size_t dim) {
  return std::ranges::any_of(read.maps[dim], [](const pipeline::IndexMap &map) {
    return std::ranges::any_of(map.atoms,
                               [](const pipeline::Atom &atom) { return atom.clamp.bounded(); });
  });
}

bool endsAtBoundary(const pipeline::Pipeline &pipeline, const Stage &stage, std::uint16_t loop) {
  const auto dim = stage.loops[loop].argument;
  if (!dim) return false;
  return std::ranges::any_of(pipeline.edgesFrom(stage.func), [&](const pipeline::EdgeId edge) {
    return endsAtBoundary(pipeline.edge(edge), *dim);
  });
}

} // namespace

bool losesGuards(const Schedule &schedule, StageId id) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  const Stage &stage = pipeline.stage(id);
  const LoopNest &nest = schedule.plan(id).nest;
  for (std::uint16_t a = 0; a < nest.axes.size(); ++a) {
    const std::vector<Split> &splits = nest.axes[a].splits;
    if (splits.size() < 2) continue;
    const std::vector<std::uint16_t> dims = dimsOf(nest, {a, 0});
    const bool reduces = std::ranges::any_of(dims, [&](const std::uint16_t dim) {
      return stage.loops[dim].kind == LoopDim::Kind::Reduction;
    });
    if (!guards(performed(splits.front().tail, stage.index > 0, reduces))) continue;
    if (std::ranges::any_of(
            dims, [&](const std::uint16_t dim) { return endsAtBoundary(pipeline, stage, dim); }))
      return true;
  }
  return false;
}

} // namespace tessera::schedule
