// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/peer_samples.h"
#include "engine/tune/peers.h"
#include "engine/measure/compile.h"
#include "engine/open/open.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace tessera::tune {

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
  std::string why;             // the reason, for every status except Scheduled
  std::string remark;          // such as how many samples there are, and what the peer was given
  double seconds = 0;          // until it finished or was killed
  std::size_t made = 0;        // schedules
  std::size_t memoryLimit = 0; // bytes that a process of it may have
  std::string weights;         // the file with weights that was used, if it is not the peer's own
  // Set only for Scheduled.
  std::optional<schedule::Schedule> schedule;
  // The pipeline file with the peer's schedule, if it made one; the sidecar is beside it.
  std::string file;
  // The system failed, as a full disk does. That says nothing about the peer.
  std::optional<Error> fault;

  bool hasSchedule() const {
    return status == PeerStatus::Scheduled || status == PeerStatus::Opaque;
  }
};

// Runs a peer in workers of its own, so that its changes to Halide's names, a crash or an endless
// loop affect nothing else. The schedule is opaque if decisions cannot express it or if the
// legality rules refuse it; `why` tells the reason. Blocking; run it as a job.
PeerRun runPeer(const PeerRequest &request, const host::ToolPaths &tools,
                open::PipelineOpener &opener, const std::stop_token &stop = {},
                const job::ProgressCallback &progress = {});

// Runs peers for several ranks of their samples, which are made once.
class PeerRunner {
public:
  PeerRun run(const PeerRequest &request, const host::ToolPaths &tools,
              open::PipelineOpener &opener, const std::stop_token &stop = {},
              const job::ProgressCallback &progress = {});

private:
  std::map<std::string, PeerSamples> m_samples; // by the peer's word
};

// A peer's result in the form that the compiler needs.
measure::ScheduledPipeline scheduledPipeline(const PeerRun &run,
                                             const open::OpenedPipeline &opened);

} // namespace tessera::tune
