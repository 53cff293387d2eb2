// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/tools.h"
#include "engine/machine/machine.h"
#include "engine/measure/compile.h"
#include "engine/open/open.h"
#include "engine/schedule/schedule.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::tune {

// An autoscheduler other than Tessera: a Halide plugin, with the parameters that describe the
// machine to it.
struct Peer {
  std::string word;  // "li2018", as on the command line
  std::string name;  // "Li2018", as Halide registers it
  std::string title; // one line for the user
  std::string library;
  std::vector<std::pair<std::string, std::string>> parameters;
  bool forHost = false; // schedules for the CPU, not for a GPU
};

// The autoschedulers that Halide ships, those for GPUs first.
std::vector<Peer> peersFor(const machine::Machine &machine, const host::ToolPaths &tools);
// The peers that `words` name, without duplicates. Refuses an unknown word.
Result<std::vector<Peer>> chosenPeers(const std::vector<Peer> &peers,
                                      const std::vector<std::string> &words);

enum class PeerStatus : std::uint8_t {
  Scheduled, // as decisions, like any other candidate
  Opaque,    // only as a file with its schedule: can be compiled, but not changed
  Asserted,  // the peer or Halide refused with an error
  Crashed,
  TimedOut,
  OutOfMemory,
  Missing, // its plugin is not installed
  Cancelled,
  Failed // any other failure; see `why`
};
std::string_view name(PeerStatus status); // "scheduled", "opaque", "timed out", …

struct PeerRun {
  Peer peer;
  PeerStatus status = PeerStatus::Failed;
  std::string why;    // the reason, for every status except Scheduled
  double seconds = 0; // until it finished or was killed
  // Set only for Scheduled.
  std::optional<schedule::Schedule> schedule;
  // The pipeline file with the peer's schedule, if it made one; the sidecar is beside it.
  std::string file;
  // The system failed, as a full disk does. That says nothing about the peer.
  std::optional<Error> fault;

  bool made() const { return status == PeerStatus::Scheduled || status == PeerStatus::Opaque; }
};

struct PeerRequest {
  Peer peer;
  open::OpenedPipeline opened; // has no schedule
  machine::Machine machine;
  std::string folder; // where the schedule is written: peer.word + ".hlpipe"
  std::chrono::milliseconds timeout{120'000};
};

// Runs a peer in a worker of its own, so that its changes to Halide's names, a crash or an endless
// loop affect nothing else. The schedule is opaque if decisions cannot express it or if the
// legality rules refuse it; `why` tells the reason. Blocking; run it as a job.
PeerRun runPeer(const PeerRequest &request, const host::ToolPaths &tools,
                open::PipelineOpener &opener, std::stop_token stop = {},
                const job::ProgressCallback &progress = {});

// A peer's result in the form that the compiler needs.
measure::ScheduledPipeline scheduledPipeline(const PeerRun &run,
                                             const open::OpenedPipeline &opened);

} // namespace tessera::tune
