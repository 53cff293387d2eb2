// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/spread.h"
#include "engine/base/result.h"
#include "engine/report/verify_report.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::bench {

// Where the times of the individual kernels come from.
enum class KernelClock : std::uint8_t {
  None,
  Cupti, // CUPTI's activity records: the kernel alone
  Events // CUDA events around each launch: a few microseconds too long
};

struct KernelTime {
  std::string name;            // as in the bundle
  double launches = 0;         // per run of the pipeline
  Spread seconds;              // seconds of one launch
  int registers = 0;           // per thread, as the driver compiled it
  std::int64_t localBytes = 0; // per thread: stack and spills

  friend bool operator==(const KernelTime &, const KernelTime &) = default;
};

// A number is 0 if it is unknown.
struct DeviceState {
  int multiprocessorMhz = 0, memoryMhz = 0;
  int celsius = 0;
  double watts = 0;
  std::vector<std::string> throttled; // the reasons for throttling, for the user

  friend bool operator==(const DeviceState &, const DeviceState &) = default;
};

struct WarmUp {
  int runs = 0;
  double seconds = 0;
  bool stable = false; // the last batches took about the same time

  friend bool operator==(const WarmUp &, const WarmUp &) = default;
};

struct OutputHash {
  std::string name;
  std::string sha256; // of the elements, first dimension fastest

  friend bool operator==(const OutputHash &, const OutputHash &) = default;
};

// One bundle measured on one GPU. Each time is that of one run of the whole pipeline, with inputs
// and outputs on the device.
struct Measurement {
  std::string machine, driver, cudaVersion;
  std::string date;    // start, in UTC: "2026-11-22T11:05:00Z"
  std::string program; // version and commit of the worker
  std::string pipeline, librarySha256;
  int registerCap = 0;

  Spread backToBack; // consecutive runs that keep allocations, as in a loop over frames
  int runsPerSample = 0;
  Spread single;           // one run with a synchronisation
  Spread coldCache;        // one run after overwriting the L2 cache, timed by device events
  Spread allocating;       // consecutive runs that allocate every buffer
  Spread graph;            // consecutive launches of the run as one CUDA graph
  double allocations = 0;  // per run of `allocating`
  double firstSeconds = 0; // the first run, including compilation and uploads
  WarmUp warmUp;

  KernelClock kernelClock = KernelClock::None;
  std::vector<KernelTime> kernels; // in the order of the bundle

  DeviceState before, after;
  std::vector<OutputHash> outputs;
  std::optional<report::VerifyReport> comparison; // with the reference; nullopt: not compared
  std::vector<std::string> remarks;               // what could not be measured, for the user

  bool verified() const { return comparison && comparison->equal(); }
  // Seconds of all launches of a kernel in a run; nullopt if it was not timed.
  std::optional<double> secondsOf(std::string_view kernel) const;
  // Seconds of all kernels of a run together; nullopt unless each was timed.
  std::optional<double> kernelSeconds() const;
  // The seconds that allocating every buffer adds to a run; nullopt if not measured.
  std::optional<double> allocationSeconds() const;
  // The seconds between the kernels of a run, for launches and other host work; nullopt unless
  // CUPTI timed the kernels.
  std::optional<double> gapSeconds() const;
  friend bool operator==(const Measurement &, const Measurement &) = default;
};

std::string_view name(KernelClock clock); // "none", "cupti", "events"

nlohmann::ordered_json toJson(const Measurement &measurement);
Result<Measurement> measurementFromJson(const nlohmann::json &document);

} // namespace tessera::bench
