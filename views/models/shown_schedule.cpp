// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/shown_schedule.h"

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

// By stage of the schedule's own pipeline, which may have stages that the open one has not.
std::vector<StagePlace> ownPlaces(const FoundSchedule &found) {
  const Pipeline &pipeline = *found.schedule.pipeline();
  std::vector<StagePlace> places(pipeline.stages().size());
  const auto at = [&](StageId stage) -> StagePlace & {
    return places[static_cast<std::size_t>(stage)];
  };
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i].isInlined = found.schedule.plan(pipeline.stages()[i].func).isInline();
  int number = 0;
  for (const cost::Prediction::Kernel &kernel : found.prediction.kernels) {
    ++number;
    for (const cost::StageLoad &stage : kernel.load.stages)
      at(stage.stage).kernel = number;
    at(kernel.load.stage).kernel = number;
    at(kernel.load.stage).ownsBlocks = true;
    at(kernel.load.stage).seconds = kernel.time.seconds;
  }
  return places;
}

// Ids move when a schedule adds stages; names do not.
std::vector<StagePlace> basePlaces(const FoundSchedule &found) {
  std::vector<StagePlace> own = ownPlaces(found);
  const Pipeline &base = *found.schedule.base(), &pipeline = *found.schedule.pipeline();
  if (&base == &pipeline) return own;
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

QString ShownSchedule::summary() const {
  const int kernels = int(found.prediction.kernels.size());
  const QString time = threeDigits(found.prediction.milliseconds());
  return kernels == 1
             ? QCoreApplication::translate("ShownSchedule", "%1 ms predicted on %2, 1 kernel")
                   .arg(time, machine)
             : QCoreApplication::translate("ShownSchedule", "%1 ms predicted on %2, %3 kernels")
                   .arg(time, machine, QLocale().toString(kernels));
}

ShownSchedulePtr showSchedule(FoundSchedule found, const QString &machine) {
  auto places = basePlaces(found);
  return std::make_shared<const ShownSchedule>(
      ShownSchedule{machine, std::move(found), std::move(places)});
}

QString threeDigits(double value) {
  const int before = value > 0 ? int(std::floor(std::log10(value))) : 0;
  return QLocale().toString(value, 'f', std::clamp(2 - before, 0, 9));
}

} // namespace tessera::views
