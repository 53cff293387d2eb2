// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/bench/spread.h"
#include "engine/report/verify_report.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::bench {

// Where the times of single kernels are from.
enum class KernelClock : std::uint8_t {
  None,
  Cupti, // the profiler's activity records: the kernel alone
  Events // events around each launch: some microseconds more than the kernel
};

struct KernelTime {
  std::string name;            // as in the bundle
  double launches = 0;         // in one run of the pipeline
  Spread seconds;              // of one launch
  int registers = 0;           // of a thread, as the driver compiled it
  std::int64_t localBytes = 0; // of a thread: stack and spills

  friend bool operator==(const KernelTime &, const KernelTime &) = default;
};

struct DeviceState {
  int multiprocessorMhz = 0, memoryMhz = 0; // 0: not told
  int celsius = 0;
  double watts = 0;
  std::vector<std::string> throttled; // reasons, in words

  friend bool operator==(const DeviceState &, const DeviceState &) = default;
};

struct WarmUp {
  int runs = 0;
  double seconds = 0;
  bool stable = false; // the last batches were alike

  friend bool operator==(const WarmUp &, const WarmUp &) = default;
};

struct OutputHash {
  std::string name;
  std::string sha256; // of the elements, the first dimension fastest

  friend bool operator==(const OutputHash &, const OutputHash &) = default;
};

// One bundle measured on one GPU. Times are of one run of the whole pipeline, inputs and outputs on
// the device.
struct Measurement {
  std::string machine, driver, cudaVersion;
  std::string date;    // when it began, UTC: "2026-11-22T11:05:00Z"
  std::string program; // version and commit of the worker
  std::string pipeline, librarySha256;
  int registerCap = 0;

  Spread backToBack; // runs follow each other, allocations kept: what a loop over frames sees
  int runsPerSample = 0;
  Spread single;           // one run and a synchronisation
  Spread coldCache;        // one run after the L2 was overwritten, between events on the device
  Spread allocating;       // back to back, with an allocation for every buffer in every run
  Spread graph;            // back to back, each run's kernels launched as one CUDA graph
  double allocations = 0;  // that one such run makes
  double firstSeconds = 0; // the first run: compiling for the device, uploads
  WarmUp warmUp;

  KernelClock kernelClock = KernelClock::None;
  std::vector<KernelTime> kernels; // in the order of the bundle

  DeviceState before, after;
  std::vector<OutputHash> outputs;
  std::optional<report::VerifyReport> comparison; // with a reference; none: nobody checked
  std::vector<std::string> remarks;               // what could not be measured, for a person

  bool verified() const { return comparison && comparison->equal(); }
  // Of all launches of a kernel in a run; none: it was not timed.
  std::optional<double> secondsOf(std::string_view kernel) const;
  // Of all kernels of a run together, where each was timed.
  std::optional<double> kernelSeconds() const;
  // What allocating every buffer adds to a run, where that was measured.
  std::optional<double> allocationSeconds() const;
  // Between the kernels of a run, where kernels were measured: launches and what the host does.
  std::optional<double> gapSeconds() const;
  friend bool operator==(const Measurement &, const Measurement &) = default;
};

std::string_view name(KernelClock clock); // "none", "cupti", "events"

nlohmann::ordered_json toJson(const Measurement &measurement);
Result<Measurement> measurementFromJson(const nlohmann::json &document);

} // namespace tessera::bench
