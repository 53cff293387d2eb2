// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/ceilings.h"
#include "engine/bench/counters.h"
#include "engine/bench/device_description.h"
#include "engine/bench/measure_request.h"
#include "engine/bench/measurement.h"
#include "engine/base/outcome.h"
#include "engine/job/worker_client.h"

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::bench {

// A kernel as the driver compiled it.
struct LoadedKernel {
  std::string name;
  int registers = 0;
  std::int64_t localBytes = 0, sharedBytes = 0;
  int threadsPerBlock = 0;

  friend bool operator==(const LoadedKernel &, const LoadedKernel &) = default;
};

// `value` is valid only if the outcome is Ok; otherwise `error` tells what happened.
template <typename Value>
struct GpuAnswer {
  Outcome outcome = Outcome::ProtocolError;
  Value value;
  Error error;
};

// Sends requests to a tessera-gpu process, on this machine or through ssh. A failure costs only
// that process: after each answer that is not a success, and after each one that involved a
// profiler, the next request gets a fresh process. A kernel that never ends is killed at the
// deadline. Handles one request at a time.
class GpuClient {
public:
  explicit GpuClient(job::ProcessOptions worker);
  ~GpuClient();

  GpuAnswer<DeviceDescription> describe(std::chrono::milliseconds timeout,
                                        std::stop_token stop = {});
  GpuAnswer<std::vector<LoadedKernel>>
  load(const std::string &bundle, std::chrono::milliseconds timeout, std::stop_token stop = {});
  GpuAnswer<Measurement> measure(const MeasureOptions &options, std::chrono::milliseconds timeout,
                                 std::stop_token stop = {},
                                 const job::ProgressCallback &progress = {});
  // Returns the measurements in the order of the bundles. Of their times, only those of the first
  // run, the warm-up and the back-to-back runs are set. The item of the progress tells which bundle
  // is running, so that it is known which one crashed or hung.
  GpuAnswer<std::vector<Measurement>> interleave(const InterleaveOptions &options,
                                                 std::chrono::milliseconds timeout,
                                                 std::stop_token stop = {},
                                                 const job::ProgressCallback &progress = {});
  GpuAnswer<MeasuredCeilings> ceilings(std::chrono::milliseconds timeout, std::stop_token stop = {},
                                       const job::ProgressCallback &progress = {});
  // Ends the process afterwards, because a process that has counted must not take times.
  GpuAnswer<CounterReport> count(const CountOptions &options, std::chrono::milliseconds timeout,
                                 std::stop_token stop = {},
                                 const job::ProgressCallback &progress = {});
  GpuAnswer<Done> reference(const ReferenceOptions &options, std::chrono::milliseconds timeout,
                            std::stop_token stop = {});

  // Sends any request listed in device/worker.h.
  job::Reply request(const std::string &type, nlohmann::json fields,
                     std::chrono::milliseconds timeout, std::stop_token stop,
                     const job::ProgressCallback &progress = {});

  int starts() const { return m_starts; } // number of processes started so far

private:
  void recycle();

  job::ProcessOptions m_worker;
  std::unique_ptr<job::WorkerClient> m_client;
  int m_starts = 0;
};

} // namespace tessera::bench
