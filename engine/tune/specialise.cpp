// SPDX-License-Identifier: MIT
#include "engine/tune/specialise.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/search/kernels/kept_kernels.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace tessera::tune {

using pipeline::Estimate;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::PipelinePtr;
using schedule::FuncPlan;
using schedule::Schedule;

namespace {

Error doesNotHold(std::string message) { return {ErrorCode::InputRefused, std::move(message), {}}; }

// --- assumptions of a schedule

// The estimates of an input or output; empty for any other name.
std::span<const Estimate> dimsOf(const Pipeline &pipeline, const std::string &buffer) {
  for (const pipeline::Input &input : pipeline.inputs())
    if (input.name == buffer) return input.dims;
  for (const pipeline::Output &output : pipeline.outputs()) {
    const std::string &name = pipeline.func(output.func).name;
    if (buffer == name || buffer.starts_with(name + ".")) return output.dims; // a buffer of a tuple
  }
  return {};
}

Status keepsPromises(const Schedule &schedule) {
  for (const report::Promise &promise : schedule.settings().promises) {
    const auto dims = dimsOf(*schedule.pipeline(), promise.buffer);
    if (promise.dim >= dims.size()) continue;
    const pipeline::Interval &range = dims[promise.dim].range;
    const std::string subject = promise.buffer + " in dimension " + std::to_string(promise.dim);
    if (promise.extent && *promise.extent != range.extent())
      return doesNotHold("an extent of " + std::to_string(*promise.extent) + " is promised for " +
                         subject + ", but it is " + std::to_string(range.extent()));
    if (promise.min && *promise.min != range.min)
      return doesNotHold("a minimum of " + std::to_string(*promise.min) + " is promised for " +
                         subject + ", but it is " + std::to_string(range.min));
  }
  return Done{};
}

// Fails if an output is bounded to less than its estimated extent. Halide checks such bounds only
// when the pipeline runs.
Status keepsBounds(const Schedule &schedule) {
  for (const pipeline::Output &output : schedule.pipeline()->outputs()) {
    const auto &bounds = schedule.plan(output.func).bounds;
    for (std::size_t d = 0; d < bounds.size(); ++d) {
      const std::int64_t extent = output.dims[d].range.extent();
      if (bounds[d].extent && *bounds[d].extent < extent)
        return doesNotHold(schedule.pipeline()->func(output.func).name + " is bounded to " +
                           std::to_string(*bounds[d].extent) + " in dimension " +
                           std::to_string(d) + ", but its extent is " + std::to_string(extent));
    }
  }
  return Done{};
}

// lower() bounds the storage of some funcs to what one size needs, and such a bound stays when the
// schedule is carried over to another size. Fails if a bound is too small for this size.
Status keepsNoMoreThanBounded(const Schedule &schedule) {
  if (!schedule::isSound(schedule)) return Done{}; // check() reports the reason
  const schedule::Bounds bounds(schedule);
  for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
    const auto &dims = schedule.plan(FuncId{f}).storageDims;
    for (std::size_t d = 0; d < dims.size() && !schedule.plan(FuncId{f}).isInline(); ++d) {
      const std::int64_t kept = bounds.of(FuncId{f}).stored[d].extent();
      if (dims[d].bound > 0 && dims[d].bound < kept)
        return doesNotHold("storage for " + std::to_string(dims[d].bound) + " elements of " +
                           schedule.pipeline()->func(FuncId{f}).name + " is kept in dimension " +
                           std::to_string(d) + ", but " + std::to_string(kept) + " are needed");
    }
  }
  return Done{};
}

// --- one schedule at all sizes

AcrossSizes acrossSizes(const Schedule &schedule, std::size_t foundFor,
                        const std::vector<SizedProblem> &problems) {
  AcrossSizes across{schedule, foundFor, {}, true};
  const auto directives = schedule::lower(schedule);
  for (const auto &[name, problem] : problems) {
    const auto there = carriedOver(schedule, problem.start.base());
    if (!there) {
      across.seconds.emplace_back(there.error());
      continue;
    }
    const auto violations = schedule::check(*there, problem.machine);
    if (!violations.empty()) {
      across.seconds.emplace_back(doesNotHold(violations.front().message));
      continue;
    }
    across.seconds.emplace_back(cost::predict(*there, problem.machine).seconds);
    across.isOneText = across.isOneText && schedule::lower(*there) == directives;
  }
  return across;
}

double secondsAt(const AcrossSizes &across, std::size_t size) {
  const Result<double> &seconds = across.seconds[size];
  return seconds ? *seconds : std::numeric_limits<double>::infinity();
}

// The schedule with the least time at a size, on the pipeline of that size.
AcrossSizes bestAt(std::size_t size, const std::vector<AcrossSizes> &all,
                   const std::vector<SizedProblem> &problems) {
  AcrossSizes best = *std::ranges::min_element(
      all, {}, [&](const AcrossSizes &one) { return secondsAt(one, size); });
  if (auto there = carriedOver(best.schedule, problems[size].problem.start.base()); there)
    best.schedule = std::move(*there);
  return best;
}

// The geometric mean over the sizes of the time relative to the best at each size.
double ratioTo(const std::vector<AcrossSizes> &best, const AcrossSizes &one) {
  double logarithms = 0;
  for (std::size_t s = 0; s < best.size(); ++s)
    logarithms += std::log(secondsAt(one, s) / secondsAt(best[s], s));
  return std::exp(logarithms / static_cast<double>(best.size()));
}

// Tails that rely on a size: with ShiftInwards a whole tile must fit, with RoundUp the tile must
// divide the extent.
bool reliesOnSize(schedule::Tail tail) {
  return tail == schedule::Tail::ShiftInwards || tail == schedule::Tail::RoundUp;
}

// The same schedule with guards instead of tails that rely on a size; nullopt if it has no such
// tails. Frozen decisions are kept.
std::optional<Schedule> guarded(const Schedule &schedule) {
  Schedule result = schedule;
  const auto kept = search::keptFuncs(schedule);
  for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
    if (kept.contains(FuncId{f})) continue;
    FuncPlan plan = schedule.plan(FuncId{f});
    for (schedule::StagePlan &stage : plan.stages)
      for (schedule::Axis &axis : stage.nest.axes)
        for (schedule::Split &split : axis.splits)
          if (reliesOnSize(split.tail)) split.tail = schedule::Tail::GuardWithIf;
    if (plan != schedule.plan(FuncId{f})) result.set(FuncId{f}, std::move(plan));
  }
  if (result == schedule) return std::nullopt;
  return result;
}

bool isForAll(const AcrossSizes &one) {
  return std::ranges::all_of(one.seconds, [](const Result<double> &seconds) { return !!seconds; });
}

// --- the searches

Error about(const std::string &sizes, Error error) {
  error.message = sizes + ": " + error.message;
  return error;
}

// The last candidates of each search, the last one first, are tried at the other sizes. The second
// best for one size may be the best for all; candidates from long before the end hardly ever are.
std::vector<Schedule> worthTrying(std::vector<Schedule> candidates) {
  constexpr std::size_t kTried = 16;
  std::ranges::reverse(candidates);
  if (candidates.size() > kTried) candidates.erase(candidates.begin() + kTried, candidates.end());
  return candidates;
}

// Progress of one search out of several, labelled with its sizes.
job::ProgressCallback progressOf(const job::ProgressCallback &progress, const std::string &name,
                                 std::size_t before, std::size_t all) {
  if (!progress) return {};
  return [&progress, name, before, all](const job::Progress &one) {
    progress({name + ": " + one.phase, (static_cast<double>(before) + std::max(0.0, one.fraction)) /
                                           static_cast<double>(all)});
  };
}

} // namespace

Result<Schedule> carriedOver(const Schedule &schedule, const PipelinePtr &pipeline) {
  if (schedule.base() == pipeline) return schedule;
  auto there = schedule::scheduleFromJson(pipeline, schedule::toJson(schedule));
  if (!there) return there;
  for (const auto &holds : {keepsPromises, keepsBounds, keepsNoMoreThanBounded})
    if (const Status done = holds(*there); !done) return done.error();
  return there;
}

Result<Specialised> specialise(std::string_view algorithm,
                               const std::vector<SizedProblem> &problems,
                               const std::stop_token &stop, const job::ProgressCallback &progress) {
  Specialised result;
  std::vector<AcrossSizes> found;
  for (std::size_t s = 0; s < problems.size(); ++s) {
    std::vector<Schedule> candidates;
    auto run =
        runSearch(algorithm, problems[s].problem, stop,
                  progressOf(progress, problems[s].name, s, problems.size()),
                  [&](const search::Candidate &better) { candidates.push_back(better.schedule); });
    if (!run) return about(problems[s].name, run.error());
    if (candidates.empty() || candidates.back() != run->best.schedule)
      candidates.push_back(run->best.schedule);
    for (const Schedule &candidate : worthTrying(std::move(candidates))) {
      found.push_back(acrossSizes(candidate, s, problems));
      if (const auto other = guarded(candidate); other && !isForAll(found.back()))
        found.push_back(acrossSizes(*other, s, problems));
      if (stop.stop_requested()) break; // the best of each search has been tried
    }
    result.runs.push_back(std::move(*run));
  }
  result.cancelled = stop.stop_requested();
  for (std::size_t s = 0; s < problems.size(); ++s)
    result.best.push_back(bestAt(s, found, problems));
  double least = std::numeric_limits<double>::infinity();
  for (const AcrossSizes &one : found) {
    const double ratio = one.isOneText ? ratioTo(result.best, one) : least;
    if (ratio >= least) continue;
    least = result.worth = ratio;
    result.common = one;
  }
  return result;
}

} // namespace tessera::tune
