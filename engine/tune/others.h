// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/open/open.h"
#include "engine/tune/peers.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

// Schedules of the open pipeline that others have made: the one by hand, and those of Halide's own
// autoschedulers for GPUs.
struct Other {
  std::string word;  // "manual", "li2018"
  std::string name;  // "Li2018"
  std::string title; // a line for a person
  bool isPeer = true;
};
std::vector<Other> othersFor(const machine::Machine &machine, const host::ToolPaths &tools);

struct FoundOther {
  PeerStatus status = PeerStatus::Failed;
  std::string why;                            // of every status but Scheduled, in words
  double seconds = 0;                         // that it took
  std::optional<schedule::Schedule> schedule; // set where it is Scheduled
};

struct OtherRequest {
  std::string word;
  open::OpenRequest request; // that opened the pipeline
  open::OpenedPipeline opened;
  machine::Machine machine;
  std::chrono::milliseconds timeout{120'000}; // of a peer
};
// Blocking; run it as a job.
FoundOther findOther(const OtherRequest &request, const host::ToolPaths &tools,
                     open::PipelineOpener &opener, const std::stop_token &stop = {},
                     const job::ProgressCallback &progress = {});

} // namespace tessera::tune
