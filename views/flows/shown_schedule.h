// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/prediction.h"
#include "engine/schedule/schedule.h"
#include "views/text/subject.h"

#include <QString>

#include <memory>
#include <vector>

namespace tessera::views {

// A schedule with what our model says of it, as a search brings it.
struct FoundSchedule {
  schedule::Schedule schedule;
  cost::Prediction prediction;
};

// Where a schedule computes one stage.
struct StagePlace {
  int kernel = 0;          // in the order of the launches, from 1; 0: in none
  bool ownsBlocks = false; // the kernel is this stage's; others are computed inside of it
  bool isInlined = false;  // in the expressions of those that read it
  double seconds = 0;      // predicted for the kernel, of the stage that owns the blocks
  double part = 0; // of the predicted time of all kernels, as cost::stageSecondsOf shares it

  friend bool operator==(const StagePlace &, const StagePlace &) = default;
};

// A schedule as all panels show it. Never changed once it is made, on the search's thread.
struct ShownSchedule {
  QString machine;
  FoundSchedule found;
  std::vector<StagePlace> places;  // by stage of the pipeline that is open
  std::vector<StagePlace> derived; // by stage of the schedule's own pipeline; empty: it adds none

  StagePlace placeOf(Subject subject) const; // inputs have none
  // By stage of a func that the schedule adds, by name.
  std::vector<StagePlace> placesOfAdded(const std::string &func) const;
  QString summary() const; // "0.0431 ms predicted on h200, 2 kernels"
};
using ShownSchedulePtr = std::shared_ptr<const ShownSchedule>;

ShownSchedulePtr showSchedule(FoundSchedule found, const QString &machine);

// Three digits that count: "0.0431", "43.1", "4310".
QString threeDigits(double value);

} // namespace tessera::views
