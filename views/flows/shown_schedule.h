// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/chart/kernel_colours.h"
#include "engine/cost/prediction.h"
#include "engine/schedule/schedule.h"
#include "engine/search/search.h"
#include "views/text/subject.h"

#include <QString>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tessera::views {

// A schedule with its prediction, as a search finds it.
struct FoundSchedule {
  schedule::Schedule schedule;
  cost::Prediction prediction;
  std::vector<std::string> remarks = {}; // what has to be said of it; becomes the candidate's note
  // What the algorithm that found it has for costs of its own, as a search ends. They are not kept
  // with a document.
  std::string algorithm = {};
  std::vector<search::KernelCost> costs = {};
  // What that search decided and tried, likewise; null: nobody asked.
  std::shared_ptr<const search::Trace> trace = {};
};

// The kernel that computes a stage in a schedule.
struct StagePlace {
  int kernel = 0;          // in the order of the launches, from 1; 0: none
  bool ownsBlocks = false; // its loops are the kernel's blocks
  bool isInlined = false;  // computed inside the expressions that read it
  double seconds = 0;      // predicted time of the kernel; only for the stage that owns the blocks
  // The stage's share of the predicted time of all kernels, as in cost::stageSecondsOf.
  double part = 0;

  friend bool operator==(const StagePlace &, const StagePlace &) = default;
};

// A schedule as all panels show it. It never changes after it was made.
struct ShownSchedule {
  QString machine;
  FoundSchedule found;
  // Indexed by stage of the open pipeline.
  std::vector<StagePlace> places;
  // Indexed by stage of the schedule's own pipeline; empty: it adds no stage.
  std::vector<StagePlace> derived;
  // The kernels with the numbers of their colours, in launch order.
  std::vector<chart::ColouredKernel> kernels;
  // The names of the funcs that the search decided early and froze for itself, in ascending order.
  // They have nothing to do with what the user froze.
  std::vector<std::string> frozenBySearch = {};

  int colourOf(int kernel) const;            // of a kernel numbered from 1; 0: none
  StagePlace placeOf(Subject subject) const; // inputs have no place
  // The algorithm's own cost of the kernel that computes a stage; null: it told none.
  const search::KernelCost *costOf(Subject subject) const;
  // The places of the stages of a func that the schedule adds.
  std::vector<StagePlace> placesOfAdded(const std::string &func) const;
  QString summary() const; // "0.0431 ms predicted on h200, 2 kernels"
};
using ShownSchedulePtr = std::shared_ptr<const ShownSchedule>;

// A stage of the open pipeline in the schedule's own pipeline, found by its name.
std::optional<pipeline::StageId> ownStage(const schedule::Schedule &schedule, Subject subject);

ShownSchedulePtr showSchedule(FoundSchedule found, const QString &machine);

// The same schedule with other colours: a kernel that was also in `before`, the kernels shown
// before, keeps its colour from there.
ShownSchedulePtr shownAfter(ShownSchedulePtr shown, std::span<const chart::ColouredKernel> before);

// Three significant digits: "0.0431", "43.1", "4310".
QString threeDigits(double value);

} // namespace tessera::views
