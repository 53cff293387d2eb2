// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/shown_schedule.h"

#include "engine/cost/stage_seconds.h"
#include "engine/pipeline/stage_names.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace tessera::views {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::StageId;

namespace {

// Indexed by stage of the schedule's own pipeline, which may have stages that the open pipeline
// lacks.
std::vector<StagePlace> ownPlaces(const FoundSchedule &found) {
  const Pipeline &pipeline = *found.schedule.pipeline();
  std::vector<StagePlace> places(pipeline.stages().size());
  const auto at = [&](StageId stage) -> StagePlace & {
    return places[static_cast<std::size_t>(stage)];
  };
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i].isInlined = found.schedule.plan(pipeline.stages()[i].func).isInline();
  double all = 0;
  for (const cost::Prediction::Kernel &kernel : found.prediction.kernels)
    all += kernel.time.seconds;
  int number = 0;
  for (const cost::Prediction::Kernel &kernel : found.prediction.kernels) {
    ++number;
    const std::vector<double> seconds = cost::stageSecondsOf(kernel);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      StagePlace &place = at(kernel.load.stages[i].stage);
      place.kernel = number;
      place.part += all > 0 ? seconds[i] / all : 0;
    }
    at(kernel.load.stage).kernel = number;
    at(kernel.load.stage).ownsBlocks = true;
    at(kernel.load.stage).seconds = kernel.time.seconds;
  }
  return places;
}

// Stages are matched by name, because their ids change when a schedule adds stages.
std::vector<StagePlace> basePlaces(const FoundSchedule &found, const std::vector<StagePlace> &own) {
  const Pipeline &base = *found.schedule.base(), &pipeline = *found.schedule.pipeline();
  std::map<std::string, StagePlace> byName;
  for (std::uint32_t i = 0; i < own.size(); ++i)
    byName[pipeline.stageName(StageId{i})] = own[i];
  std::vector<StagePlace> places(base.stages().size());
  for (std::uint32_t i = 0; i < places.size(); ++i)
    if (const auto same = byName.find(base.stageName(StageId{i})); same != byName.end())
      places[i] = same->second;
  return places;
}

} // namespace

StagePlace ShownSchedule::placeOf(Subject subject) const {
  return subject.isStage() && subject.index < places.size() ? places[subject.index] : StagePlace();
}

const search::KernelCost *ShownSchedule::costOf(Subject subject) const {
  const int kernel = placeOf(subject).kernel;
  if (kernel == 0) return nullptr;
  const Pipeline &own = *found.schedule.pipeline();
  const StageId owner = found.prediction.kernels[std::size_t(kernel) - 1].load.stage;
  const auto cost = std::ranges::find(found.costs, own.func(own.stage(owner).func).name,
                                      &search::KernelCost::kernel);
  return cost == found.costs.end() ? nullptr : &*cost;
}

int ShownSchedule::colourOf(int kernel) const {
  const bool isKernel = kernel > 0 && std::size_t(kernel) <= kernels.size();
  return isKernel ? kernels[std::size_t(kernel) - 1].colour : 0;
}

std::vector<StagePlace> ShownSchedule::placesOfAdded(const std::string &name) const {
  if (derived.empty()) return {};
  const auto funcs = found.schedule.pipeline()->funcs();
  const auto func = std::ranges::find(funcs, name, &pipeline::Func::name);
  if (func == funcs.end()) return {};
  const auto first = derived.begin() + std::ptrdiff_t(pipeline::index(func->firstStage));
  return {first, first + std::ptrdiff_t(func->stageCount)};
}

QString ShownSchedule::summary() const {
  const int count = int(found.prediction.kernels.size());
  const QString time = threeDigits(found.prediction.milliseconds());
  const QString text =
      count == 1 ? QCoreApplication::translate("ShownSchedule", "%1 ms predicted on %2, 1 kernel")
                       .arg(time, machine)
                 : QCoreApplication::translate("ShownSchedule", "%1 ms predicted on %2, %3 kernels",
                                               nullptr, count)
                       .arg(time, machine, QLocale().toString(count));
  const auto funcs = found.schedule.pipeline()->funcs();
  const bool hasExtern =
      std::ranges::any_of(funcs, [](const pipeline::Func &func) { return bool(func.externCall); });
  return hasExtern ? QCoreApplication::translate("ShownSchedule", "%1, without extern stages",
                                                 "a predicted time")
                         .arg(text)
                   : text;
}

std::optional<pipeline::StageId> ownStage(const schedule::Schedule &schedule, Subject subject) {
  if (!subject.isStage()) return std::nullopt;
  return stageNamed(*schedule.pipeline(), schedule.base()->stageName(subject.stageId()));
}

namespace {

std::vector<std::string> frozenIn(const search::Trace &trace) {
  std::vector<std::string> names;
  for (const search::TraceRow &row : trace.rows)
    if (row.outcome == search::TraceOutcome::Frozen)
      names.insert(names.end(), row.funcs.begin(), row.funcs.end());
  std::ranges::sort(names);
  return names;
}

} // namespace

ShownSchedulePtr showSchedule(FoundSchedule found, const QString &machine) {
  std::vector<StagePlace> places = ownPlaces(found), own;
  if (!found.schedule.derivations().empty()) {
    own = std::move(places);
    places = basePlaces(found, own);
  }
  auto kernels = chart::colouredKernels(*found.schedule.pipeline(), found.prediction, {});
  auto frozen = found.trace ? frozenIn(*found.trace) : std::vector<std::string>();
  return std::make_shared<const ShownSchedule>(
      ShownSchedule{machine, std::move(found), std::move(places), std::move(own),
                    std::move(kernels), std::move(frozen)});
}

ShownSchedulePtr shownAfter(ShownSchedulePtr shown, std::span<const chart::ColouredKernel> before) {
  auto kernels = chart::withColours(shown->kernels, before);
  if (std::ranges::equal(kernels, shown->kernels, {}, &chart::ColouredKernel::colour,
                         &chart::ColouredKernel::colour))
    return shown;
  auto coloured = std::make_shared<ShownSchedule>(*shown);
  coloured->kernels = std::move(kernels);
  return coloured;
}

QString threeDigits(double value) {
  const int before = value > 0 ? int(std::floor(std::log10(value))) : 0;
  return QLocale().toString(value, 'f', std::clamp(2 - before, 0, 9));
}

} // namespace tessera::views
