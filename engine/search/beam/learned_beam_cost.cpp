// SPDX-License-Identifier: MIT
#include "engine/search/beam/learned_beam_cost.h"

#include "engine/search/kernels/copies.h"

#include <algorithm>
#include <set>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::StageId;

namespace {

double sumOf(const Pipeline &pipeline, FuncId func, const std::vector<double> &stages) {
  double sum = 0;
  for (const StageId stage : pipeline.stageIdsOf(func))
    sum += stages[index(stage)];
  return sum;
}

} // namespace

double LearnedBeamCost::ofKernel(const schedule::Schedule &schedule, FuncId,
                                 std::span<const FuncId> funcs) {
  std::set<FuncId> all; // several funcs of a kernel may read the same inlined one
  for (const FuncId func : funcs)
    for (const FuncId one : withItsInlined(schedule, func))
      all.insert(one);
  const std::vector<double> &stages = m_model.costs(schedule);
  double sum = 0;
  for (const FuncId func : all)
    sum += sumOf(*schedule.pipeline(), func, stages);
  return sum;
}

void LearnedBeamCost::find(BeamState &state, std::span<const FuncId> outputs) {
  const Pipeline &pipeline = *state.schedule.pipeline();
  const std::vector<double> before = std::move(state.costs);
  state.costs.assign(before.size(), 0);
  const std::vector<double> &stages = m_model.costs(state.schedule);
  for (const FuncId func : pipeline.allFuncs()) {
    const FuncId kernel = state.kernels[index(func)];
    const bool isDecided = before[index(kernel)] > 0 || std::ranges::count(outputs, kernel) > 0;
    if (state.schedule.plan(func).isInline())
      state.costs[index(func)] = sumOf(pipeline, func, stages);
    else if (isDecided)
      state.costs[index(kernel)] += sumOf(pipeline, func, stages);
  }
}

std::vector<double> LearnedBeamCost::ofFuncs(const BeamState &state) {
  const Pipeline &pipeline = *state.schedule.pipeline();
  const std::vector<double> &stages = m_model.costs(state.schedule);
  std::vector<double> costs;
  for (const FuncId func : pipeline.allFuncs())
    costs.push_back(sumOf(pipeline, func, stages));
  return costs;
}

} // namespace tessera::search
