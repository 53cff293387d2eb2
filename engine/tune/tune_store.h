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

// The conditions of a measurement: a pipeline at certain sizes, on a certain GPU. `machine` is the
// description used for the predictions.
struct TuneContext {
  std::string pipeline, pipelineSha256;
  std::string estimates; // the requested estimates, as JSON
  std::string machine, device;
};

struct StoredContext {
  std::int64_t id = 0;
  TuneContext context;
};

// A candidate and all that was ever known about it, as training data for a learned model. The
// documents are JSON, in the formats of the named headers.
struct TunedCandidate {
  std::uint64_t hash = 0;
  std::string origin;                  // "start", "auto", "neighbour", "kernels"…
  std::optional<std::uint64_t> parent; // hash of the candidate that was varied, if any
  std::string schedule;                // format: schedule_json.h
  std::string features;                // format: prediction_json.h
  double predictedSeconds = 0;
  int attempts = 0;               // how often a measurement began
  std::optional<Outcome> outcome; // nullopt: not known yet
  std::string message;            // set if the outcome is not Ok
  double compileSeconds = 0;
  std::string report;            // compile_report.h: static counts, registers, spills; empty: none
  std::string measurement;       // bench/measurement.h; empty: none
  std::optional<double> seconds; // seconds per run, if the outputs were right
};

// A kernel that was compiled and measured as a pipeline of its own, of whatever candidate.
struct TimedKernel {
  std::string content; // kernel_content.h
  Outcome outcome = Outcome::Ok;
  std::optional<double> seconds; // per run of all its launches; none: `message` says why
  std::string message;
  std::string func;            // that owns the blocks, in the schedule of `candidate`
  std::uint64_t candidate = 0; // hash of the first candidate that has it
  double compileSeconds = 0;
  std::string report, measurement; // as those of a candidate
};

// The database of a tuning: every candidate once per context, independent of the run that added it.
// A kernel alone is there once per device.
// Thread-safe; several processes may share one file.
class TuneStore {
public:
  static Result<std::unique_ptr<TuneStore>> open(const std::string &path);

  Result<std::int64_t> contextId(const TuneContext &context);
  Result<std::vector<StoredContext>> contexts() const; // in the order in which they were added
  Result<std::vector<TunedCandidate>> candidates(std::int64_t context) const;

  // Adds a candidate. Does nothing if it is stored already.
  Status propose(std::int64_t context, const TunedCandidate &candidate);
  // Call it before the candidate goes to the GPU, so that a candidate that crashed everything can
  // be recognised.
  Status beginMeasuring(std::int64_t context, std::uint64_t hash);
  // Takes back beginMeasuring(): the measurement ended through no fault of the candidate, so the
  // attempt does not count against it.
  Status undoMeasuring(std::int64_t context, std::uint64_t hash);
  // Kernels that were measured on the device of the context, without `report` and `measurement`.
  Result<std::vector<TimedKernel>> kernels(std::int64_t context) const;
  // Does nothing if the device has one of that content.
  Status addKernel(std::int64_t context, const TimedKernel &kernel);

  // Stores how the candidate ended. Returns false if that was known before.
  Result<bool> finish(std::int64_t context, const TunedCandidate &candidate);

private:
  explicit TuneStore(host::Database database) : m_database(std::move(database)) {}
  Status addAttempts(std::int64_t context, std::uint64_t hash, std::int64_t attempts);

  mutable std::mutex m_mutex;
  host::Database m_database;
};

} // namespace tessera::tune
