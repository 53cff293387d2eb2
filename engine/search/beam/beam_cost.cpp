// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_cost.h"

#include "engine/search/beam/point_counts.h"
#include "engine/pipeline/measures.h"
#include "engine/schedule/bounds/bounds.h"

#include <functional>
#include <map>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::StageId;
using schedule::Schedule;

namespace {

// What a point of a stage takes, in operations and loads.
double workOfPoint(const pipeline::Stage &stage) {
  return static_cast<double>(1 + pipeline::operationCount(stage) + pipeline::loadCount(stage));
}

// Operations and loads of each func in a kernel, with those of the funcs that are inlined there.
std::map<FuncId, double> worksIn(const Schedule &schedule, std::span<const FuncId> funcs,
                                 PointCounts &counts) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::map<StageId, double, std::greater<>> points; // readers come before what they read
  for (const FuncId func : funcs)
    for (const StageId stage : pipeline.stageIdsOf(func))
      points[stage] = counts.of(stage);
  std::map<FuncId, double> works;
  for (const auto &[id, count] : points) {
    const pipeline::Stage &stage = pipeline.stage(id);
    works[stage.func] += count * workOfPoint(stage);
    for (const pipeline::EdgeId into : pipeline.edgesInto(id)) {
      const pipeline::Edge &edge = pipeline.edge(into);
      if (edge.producer.kind != pipeline::Producer::Kind::Func) continue;
      const FuncId producer{edge.producer.index};
      if (schedule.plan(producer).isInline())
        points[pipeline.func(producer).firstStage] += edge.loads * count;
    }
  }
  return works;
}

} // namespace

AnalyticBeamCost::AnalyticBeamCost(const Schedule &start, const machine::Machine &machine)
    : m_timer(start, machine) {
  m_timer.setTraffic(start);
}

double AnalyticBeamCost::ofKernel(const Schedule &schedule, FuncId output,
                                  std::span<const FuncId> funcs) {
  Group group;
  group.output = output;
  group.ids = schedule.pipeline()->ids();
  for (const FuncId func : funcs)
    if (func != output) group.members.push_back({func});
  return m_timer.secondsOf(schedule, group);
}

void AnalyticBeamCost::find(BeamState &state, std::span<const FuncId> outputs) {
  for (const FuncId output : outputs)
    state.costs[index(output)] = ofKernel(state.schedule, output, state.funcsOf(output));
}

std::vector<double> AnalyticBeamCost::ofFuncs(const BeamState &state) {
  const Schedule &schedule = state.schedule;
  std::vector<double> costs(state.costs.size());
  const schedule::Bounds bounds(schedule);
  PointCounts counts(schedule, bounds);
  for (const FuncId output : schedule.pipeline()->allFuncs()) {
    const double cost = state.costs[index(output)];
    if (!(cost > 0)) continue;
    const auto works = worksIn(schedule, state.funcsOf(output), counts);
    double all = 0;
    for (const auto &[func, work] : works)
      all += work;
    for (const auto &[func, work] : works)
      costs[index(func)] += cost * work / all;
  }
  return costs;
}

} // namespace tessera::search
