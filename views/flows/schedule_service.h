// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/worker_client.h"
#include "engine/document/moves.h"
#include "engine/document/shared_choices.h"
#include "engine/host/tools.h"
#include "views/flows/shown_schedule.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::views {

struct ScheduleRequest {
  pipeline::PipelinePtr pipeline;
  std::string algorithm, machine; // names of choices
  // Whose frozen decisions are kept; none: nothing is.
  std::optional<schedule::Schedule> around = {};
};

// What the explorer needs of the engine to schedule a pipeline, as data and a function, so that a
// test can stand in for the search.
struct ScheduleService {
  struct Choice {
    std::string name;
    std::string title; // a line for a person
  };
  using Found = std::function<void(FoundSchedule)>;

  std::vector<Choice> algorithms; // the default first
  std::vector<Choice> machines;   // by name
  std::string defaultMachine;
  // Blocks; any thread. Tells each that is better than those before, and returns the best, also
  // when it is stopped.
  std::function<Result<FoundSchedule>(const ScheduleRequest &, std::stop_token,
                                      const job::ProgressCallback &, const Found &better)>
      run;
  // What our model says of a schedule. Refused where it is not legal on the machine, in the words
  // of the rule. Blocks; any thread, as the next.
  std::function<Result<FoundSchedule>(const schedule::Schedule &, const std::string &machine)>
      predict;
  // What a user may change about a stage, or about the whole schedule where there is none.
  std::function<Status(const schedule::Schedule &, std::optional<pipeline::StageId>,
                       const std::string &machine, std::stop_token,
                       const document::ChoicesCallback &)>
      choices;
  // Values of a column that several stages can have at once, as document::sharedChoices finds them.
  std::function<Status(const schedule::Schedule &, const std::vector<pipeline::StageId> &,
                       schedule::DecisionColumn, const std::string &machine, std::stop_token,
                       const document::ChoicesCallback &)>
      sharedChoices;
  // Where a stage could be computed instead, as document::movesOf finds it.
  std::function<Status(const schedule::Schedule &, pipeline::StageId, const std::string &machine,
                       std::stop_token, const document::MovesCallback &)>
      moves;
};

ScheduleService scheduleService(const host::ToolPaths &tools);

} // namespace tessera::views
