// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/peer_run.h"
#include "engine/document/schedule_source.h"
#include "engine/machine/machine.h"
#include "engine/open/open.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

// A source of schedules for the open pipeline, other than Tessera's searches: the manual schedule,
// or one of Halide's own autoschedulers for GPUs, called peers (peers.h).
struct Other {
  std::string word;  // "manual", "li2018"
  std::string name;  // "Li2018"
  std::string title; // one line for the user
  bool isPeer = true;
};
std::vector<Other> othersFor(const machine::Machine &machine, const host::ToolPaths &tools);

struct FoundOther {
  PeerStatus status = PeerStatus::Failed;
  std::string why;    // the reason, for every status except Scheduled
  double seconds = 0; // time to find it
  // Only for Scheduled. Whether it may be used is not checked (document::remarksOn()).
  std::optional<document::SourcedSchedule> sourced;
};

struct OtherRequest {
  std::string word;
  open::OpenRequest request; // the request that opened the pipeline
  open::OpenedPipeline opened;
  machine::Machine machine;
  std::chrono::milliseconds timeout{120'000}; // for an autoscheduler
};
// Finds the schedule for a word. Blocking; run it as a job.
FoundOther findOther(const OtherRequest &request, const host::ToolPaths &tools,
                     open::PipelineOpener &opener, const std::stop_token &stop = {},
                     const job::ProgressCallback &progress = {});

} // namespace tessera::tune
