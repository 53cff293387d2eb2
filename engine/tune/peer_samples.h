// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/peers.h"
#include "engine/base/outcome.h"
#include "engine/job/worker_client.h"
#include "engine/machine/machine.h"
#include "engine/open/open.h"

#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

// How a peer that makes several samples goes about it.
struct PeerSampling {
  // A folder with weights of the learned cost model for certain pipelines, NAME.weights; a peer
  // without one for this pipeline uses its own.
  std::string weights;
  std::size_t jobs = 0; // samples made at a time; 0: as many as the machine has processors
};

struct PeerRequest {
  Peer peer;
  open::OpenedPipeline opened; // has no schedule
  machine::Machine machine;
  std::string folder;                         // where schedules are written: peer.word + ".hlpipe"
  std::chrono::milliseconds timeout{120'000}; // for all of a peer's samples together
  std::size_t rank = 0; // which of the peer's schedules; 0: what it predicts to be the fastest
  PeerSampling sampling = {};
};

// One schedule that a peer has made, or why it has not.
struct PeerSample {
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  std::size_t index = 0;
  Outcome outcome = Outcome::Cancelled;
  Error error = {};       // if the outcome is not Ok
  double seconds = 0;     // that the peer took, or until it was ended
  double cost = kUnknown; // what the peer predicts
  std::string file = {};  // the pipeline with that schedule

  bool made() const { return outcome == Outcome::Ok; }
};

struct PeerSamples {
  std::vector<PeerSample> samples; // those made first, by their cost; then the others
  double seconds = 0;              // for all of them
  std::size_t memoryLimit = 0;     // bytes that a process may have
  std::string weights = {};        // the file that was used, if it is not the peer's own
  std::optional<Error> fault = {}; // of the system, as a full disk: then there are no samples

  std::size_t made() const;
  // Those that the peer tells apart by their cost, the fastest first.
  std::vector<PeerSample> different() const;
};

// Has the peer make all its samples, several at a time, each in a process of its own: they are in
// the folder peer.word + ".samples". Blocking.
PeerSamples makeSamples(const PeerRequest &request, const host::ToolPaths &tools,
                        const std::stop_token &stop, const job::ProgressCallback &progress);

} // namespace tessera::tune
