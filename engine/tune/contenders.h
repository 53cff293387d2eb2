// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/comparison.h"
#include "engine/tune/peers.h"
#include "engine/machine/machine.h"
#include "engine/measure/compile.h"
#include "engine/open/open.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

// Where the contenders of a comparison come from, by the words for them:
//
//   default, manual, FILE.json, FILE.schedule.h   see schedule_source.h
//   auto, autogpu, …                              the result of that search (search/algorithms.h)
//   refined                                       the best of auto, chosen with ptxas's report
//   li2018, …                                     the schedule of that peer (peers.h)
struct ContenderSources {
  open::OpenRequest request; // the request that opened the pipeline
  open::OpenedPipeline opened;
  machine::Machine machine;
  host::ToolPaths tools;
  std::string scratch;                            // must exist while bundles are compiled
  std::chrono::milliseconds peerTimeout{120'000}; // for each peer
};

// A contender, with the input of the compiler if there is a schedule.
struct FoundContender {
  Contender contender;
  std::optional<measure::ScheduledPipeline> pipeline;
};

// Gives each contender a name. Refuses unknown words before anything is run.
Result<std::vector<Contender>> contendersFor(const std::vector<std::string> &words,
                                             const machine::Machine &machine,
                                             const host::ToolPaths &tools);

// Finds the schedule of one contender. Problems are recorded in the contender. Blocking; run it as
// a job.
FoundContender findContender(Contender contender, const ContenderSources &sources,
                             open::PipelineOpener &opener, measure::ScheduleCompiler &compiler,
                             const std::stop_token &stop, const job::ProgressCallback &progress);

} // namespace tessera::tune
