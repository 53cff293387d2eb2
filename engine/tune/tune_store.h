// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/outcome.h"
#include "engine/host/database.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tessera::tune {

// What a measurement holds for: this algorithm at these sizes, on this GPU. `machine` is what the
// predictions are for.
struct TuneContext {
  std::string pipeline, pipelineSha256;
  std::string estimates; // that were asked for, as JSON
  std::string machine, device;
};

// A candidate and all that was ever known of it: what a learned model will be trained on. Documents
// are JSON, as the rooms write them.
struct TunedCandidate {
  std::uint64_t hash = 0;
  std::string origin;                  // "start", "auto", "neighbour"
  std::optional<std::uint64_t> parent; // of a neighbour
  std::string schedule;                // schedule_json.h
  std::string features;                // tune_features.h
  double predictedSeconds = 0;
  int attempts = 0;               // that began to measure it
  std::optional<Outcome> outcome; // none: not known yet
  std::string message;            // of one that is not Ok
  double compileSeconds = 0;
  std::string report;            // compile_report.h: static counts, registers, spills; empty: none
  std::string measurement;       // bench/measurement.h; empty: none
  std::optional<double> seconds; // of a run, where the outputs were right
};

// The database of a tuning: every candidate once for each context, whoever ran it and whenever.
// Thread-safe; several processes may share one file.
class TuneStore {
public:
  static Result<std::unique_ptr<TuneStore>> open(const std::string &path);

  Result<std::int64_t> contextId(const TuneContext &context);
  Result<std::vector<TunedCandidate>> candidates(std::int64_t context) const;

  // Nothing happens where it is there already.
  Status propose(std::int64_t context, const TunedCandidate &candidate);
  // Before it is given to the GPU; so a candidate that took everything down is known by it.
  Status beginMeasuring(std::int64_t context, std::uint64_t hash);
  // It was stopped by us: nothing is held against it.
  Status undoMeasuring(std::int64_t context, std::uint64_t hash);
  // How it ended. Says no where that was known before.
  Result<bool> finish(std::int64_t context, const TunedCandidate &candidate);

private:
  explicit TuneStore(host::Database database) : m_database(std::move(database)) {}
  Status addAttempts(std::int64_t context, std::uint64_t hash, std::int64_t attempts);

  mutable std::mutex m_mutex;
  host::Database m_database;
};

} // namespace tessera::tune
