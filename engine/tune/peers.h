// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"
#include "engine/measure/compile.h"
#include "engine/open/open.h"
#include "engine/host/tools.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::tune {

// Another autoscheduler: a plugin of Halide's, with what it is told of a machine.
struct Peer {
  std::string word;  // "li2018", as on the command line
  std::string name;  // "Li2018", as Halide registers it
  std::string title; // a line for a person
  std::string library;
  std::vector<std::pair<std::string, std::string>> parameters;
  bool forHost = false; // it schedules for the processor, not for a GPU
};

// Those that Halide ships with, the ones for GPUs first.
std::vector<Peer> peersFor(const machine::Machine &machine, const host::ToolPaths &tools);
// What somebody's words name of these, each once; refuses an unknown one.
Result<std::vector<Peer>> chosenPeers(const std::vector<Peer> &peers,
                                      const std::vector<std::string> &words);

enum class PeerStatus : std::uint8_t {
  Scheduled, // as decisions: a candidate like ours
  Opaque,    // as a file that has its schedule in it: it can be compiled, but not changed
  Asserted,  // it stopped by itself
  Crashed,
  TimedOut,
  OutOfMemory,
  Missing, // its plugin is not installed
  Cancelled,
  Failed // anything else on the way: `why` says what
};
std::string_view name(PeerStatus status); // "scheduled", "opaque", "timed out", …

struct PeerRun {
  Peer peer;
  PeerStatus status = PeerStatus::Failed;
  std::string why;    // of every status but Scheduled, in words
  double seconds = 0; // that it took, or until it was ended
  // Set where it is Scheduled.
  std::optional<schedule::Schedule> schedule;
  // The pipeline with the peer's schedule in it, where it made one; with the sidecar beside it.
  std::string file;

  bool made() const { return status == PeerStatus::Scheduled || status == PeerStatus::Opaque; }
};

struct PeerRequest {
  Peer peer;
  open::OpenedPipeline opened; // without a schedule
  machine::Machine machine;
  std::string folder; // where the file goes: WORD.hlpipe
  std::chrono::milliseconds timeout{120'000};
};

// Runs a peer in a worker of its own: what it does to Halide's names, its crash or its endless loop
// are nobody else's. The schedule is opaque where it says what no decision stands for, or what our
// rules refuse; `why` tells. Blocking; run it as a job.
PeerRun runPeer(const PeerRequest &request, const host::ToolPaths &tools,
                open::PipelineOpener &opener, std::stop_token stop = {},
                const job::ProgressCallback &progress = {});

// As the compiler wants what a peer made.
measure::ScheduledPipeline scheduledPipeline(const PeerRun &run,
                                             const open::OpenedPipeline &opened);

} // namespace tessera::tune
