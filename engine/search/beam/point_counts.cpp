// SPDX-License-Identifier: MIT
#include "engine/search/beam/point_counts.h"

#include "engine/pipeline/measures.h"

namespace tessera::search {

using pipeline::FuncId;
using pipeline::StageId;
using schedule::Place;

// How often a place is reached: the iterations of all loops around it.
double PointCounts::timesOf(const Place &place) const {
  if (place.kind != Place::Kind::At) return 1;
  const schedule::LoopNest &nest = m_schedule.plan(place.stage).nest;
  const auto extents = m_bounds.of(place.stage).loops;
  double times = timesOf(m_schedule.plan(m_pipeline.stage(place.stage).func).compute);
  for (std::size_t l = nest.find(place.loop).value_or(nest.loops.size()); l < nest.loops.size();
       ++l)
    times *= static_cast<double>(extents[l]);
  return times;
}

double PointCounts::callsOf(FuncId func) {
  const auto [known, isNew] = m_calls.try_emplace(func);
  if (!isNew) return known->second;
  double calls = 0;
  for (const pipeline::EdgeId id : m_pipeline.edgesFrom(func)) {
    const pipeline::Edge &edge = m_pipeline.edge(id);
    calls += edge.loads * of(edge.consumer);
  }
  return m_calls[func] = calls;
}

double PointCounts::of(StageId id) {
  const FuncId func = m_pipeline.stage(id).func;
  const schedule::FuncPlan &plan = m_schedule.plan(func);
  if (plan.isInline()) return callsOf(func);
  double points = timesOf(plan.compute);
  for (const std::int64_t extent : m_bounds.of(id).dims)
    points *= static_cast<double>(extent);
  return points;
}

double PointCounts::of(FuncId func) {
  if (m_schedule.plan(func).isInline()) return callsOf(func);
  double points = 0;
  for (const StageId stage : m_pipeline.stageIdsOf(func))
    points += of(stage);
  return points;
}

double PointCounts::least(const pipeline::Pipeline &pipeline, FuncId func) {
  double points = 0;
  for (const pipeline::Stage &stage : pipeline.stagesOf(func))
    points += static_cast<double>(pipeline::evaluationCount(stage));
  return points;
}

} // namespace tessera::search
