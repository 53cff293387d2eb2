// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/comparison.h"
#include "engine/tune/peer_run.h"
#include "engine/machine/machine.h"
#include "engine/measure/compile.h"
#include "engine/open/open.h"

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

// What is needed to find the contenders of a comparison. A word says how a contender is found:
//
//   default, manual, FILE.json, FILE.schedule.h   see schedule_source.h
//   auto, autogpu:PRESET=artifact, …              the result of that search (algorithm_word.h)
//   refined                                       the best of many auto searches, by refine.h
//   li2018, …                                     the schedule of that autoscheduler (peers.h)
//   anderson2021-top5                             the five that it predicts to be fastest
struct ContenderSources {
  open::OpenRequest request; // the request that opened the pipeline
  open::OpenedPipeline opened;
  machine::Machine machine;
  host::ToolPaths tools;
  std::string scratch;                            // must exist while bundles are compiled
  std::chrono::milliseconds peerTimeout{120'000}; // for each autoscheduler
  PeerSampling peerSampling = {};
  std::shared_ptr<PeerRunner> peers = std::make_shared<PeerRunner>();
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
