// SPDX-License-Identifier: MIT
#include "engine/search/auto/layouts.h"

#include "engine/cost/predictor.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/kept_kernels.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tessera::search {

using pipeline::FuncId;
using schedule::Schedule;

namespace {

constexpr double kShare = 0.03;      // kernels with a smaller part of the total time are ignored
constexpr double kWorthwhile = 0.99; // the new time has to be below this part of the old one

// Funcs in memory that slow kernels read.
std::vector<FuncId> readByLongKernels(const Schedule &schedule,
                                      const cost::Prediction &prediction) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  const schedule::Bounds bounds(schedule);
  std::set<FuncId> longKernels;
  for (const auto &kernel : prediction.kernels)
    if (kernel.time.seconds >= kShare * prediction.seconds)
      longKernels.insert(pipeline.stage(kernel.load.stage).func);
  const std::set<FuncId> kept = keptFuncs(schedule);
  std::vector<FuncId> funcs;
  for (std::uint32_t f = 0; f < pipeline.funcs().size(); ++f) {
    const FuncId func{f};
    const bool isInMemory = !schedule.plan(func).isInline() && !pipeline.func(func).staysAtRoot() &&
                            bounds.of(func).depth != schedule::Depth::Thread;
    if (!isInMemory || kept.contains(func)) continue;
    const auto readers = schedule::readersOf(schedule, func);
    if (std::ranges::any_of(readers, [&](pipeline::StageId reader) {
          return longKernels.contains(bounds.of(pipeline.stage(reader).func).kernel);
        }))
      funcs.push_back(func);
  }
  return funcs;
}

// The schedule in which the func is stored with this dimension innermost and the others in their
// old order.
Schedule withInnermost(const Schedule &schedule, FuncId func, std::uint16_t dim) {
  schedule::FuncPlan plan = schedule.plan(func);
  if (plan.layout.empty())
    for (std::uint16_t d = 0; d < schedule.pipeline()->func(func).args.size(); ++d)
      plan.layout.push_back(d);
  const auto at = std::ranges::find(plan.layout, dim);
  std::rotate(plan.layout.begin(), at, at + 1);
  if (std::ranges::is_sorted(plan.layout)) plan.layout.clear();
  Schedule changed = schedule;
  changed.set(func, std::move(plan));
  return changed;
}

} // namespace

Laid withLayouts(const Schedule &schedule, const machine::Machine &machine) {
  Laid laid{schedule};
  cost::Predictor predictor(machine);
  const cost::Prediction prediction = predictor.predict(schedule);
  double least = prediction.seconds;
  for (const FuncId func : readByLongKernels(schedule, prediction)) {
    std::optional<Schedule> best;
    const std::size_t dims = schedule.pipeline()->func(func).args.size();
    for (std::uint16_t dim = 0; dim < dims; ++dim) {
      const auto &layout = laid.schedule.plan(func).layout;
      if (dim == (layout.empty() ? 0 : layout.front())) continue;
      Schedule changed = withInnermost(laid.schedule, func, dim);
      const double seconds = predictor.predict(changed).seconds;
      ++laid.evaluations;
      if (seconds >= least * kWorthwhile || !schedule::isLegal(changed, machine)) continue;
      least = seconds;
      best = std::move(changed);
    }
    if (!best) continue;
    laid.schedule = std::move(*best);
    ++laid.changed;
  }
  return laid;
}

} // namespace tessera::search
