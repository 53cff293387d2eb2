// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/measure/compile.h"
#include "engine/tune/comparison.h"
#include "engine/open/open.h"
#include "engine/tune/peers.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

// Where the candidates of a comparison are from, by the words for them:
//
//   default, manual, FILE.json, FILE.schedule.h   as schedule_source.h says
//   auto, autogpu, …                              what that search finds (search/algorithms.h)
//   refined                                       auto's best, chosen by what ptxas says of them
//   li2018, …                                     what that peer makes (peers.h)
struct ContenderSources {
  open::OpenRequest request; // that opened the pipeline
  open::OpenedPipeline opened;
  machine::Machine machine;
  host::ToolPaths tools;
  std::string scratch;                            // a folder that stays while bundles are made
  std::chrono::milliseconds peerTimeout{120'000}; // of each
};

// A contender with what compiles it, where there is a schedule.
struct FoundContender {
  Contender contender;
  std::optional<measure::ScheduledPipeline> pipeline;
};

// Refuses words that stand for nothing before anything is run, and gives each a name.
Result<std::vector<Contender>> contendersFor(const std::vector<std::string> &words,
                                             const machine::Machine &machine,
                                             const host::ToolPaths &tools);

// The schedule of one; what goes wrong is told in the contender. Blocking; run it as a job.
FoundContender findContender(Contender contender, const ContenderSources &sources,
                             open::PipelineOpener &opener, measure::ScheduleCompiler &compiler,
                             const std::stop_token &stop, const job::ProgressCallback &progress);

} // namespace tessera::tune
