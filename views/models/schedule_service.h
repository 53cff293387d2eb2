// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/worker_client.h"
#include "engine/session/tools.h"
#include "views/models/shown_schedule.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::views {

struct ScheduleRequest {
  pipeline::PipelinePtr pipeline;
  std::string algorithm, machine; // names of choices
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
};

ScheduleService scheduleService(const session::ToolPaths &tools);

} // namespace tessera::views
