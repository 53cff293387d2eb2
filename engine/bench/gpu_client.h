// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/outcome.h"
#include "engine/bench/ceilings.h"
#include "engine/bench/counters.h"
#include "engine/bench/device_description.h"
#include "engine/bench/measure_request.h"
#include "engine/bench/measurement.h"
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

// `value` counts only where the outcome is Ok; else `error` says what happened.
template <typename Value>
struct GpuAnswer {
  Outcome outcome = Outcome::ProtocolError;
  Value value;
  Error error;
};

// Asks a tessera-gpu, here or through ssh. Whatever goes wrong costs that process and nothing else:
// after each answer that is no success, and after one that a profiler took part in, the next
// request finds a fresh one. A kernel that never ends is ended at the deadline. One request at a
// time.
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
  // The measurements in the order of the bundles, their times back to back alone. The item of the
  // progress, and its phase "2: first run", is the bundle that is being run: so it is known what
  // crashed or hung.
  GpuAnswer<std::vector<Measurement>> interleave(const InterleaveOptions &options,
                                                 std::chrono::milliseconds timeout,
                                                 std::stop_token stop = {},
                                                 const job::ProgressCallback &progress = {});
  GpuAnswer<MeasuredCeilings> ceilings(std::chrono::milliseconds timeout, std::stop_token stop = {},
                                       const job::ProgressCallback &progress = {});
  // By a process of its own, so that no time is taken where something was counted.
  GpuAnswer<CounterReport> count(const CountOptions &options, std::chrono::milliseconds timeout,
                                 std::stop_token stop = {},
                                 const job::ProgressCallback &progress = {});
  GpuAnswer<Done> reference(const ReferenceOptions &options, std::chrono::milliseconds timeout,
                            std::stop_token stop = {});

  // Any request of device/worker.h.
  job::Reply request(const std::string &type, nlohmann::json fields,
                     std::chrono::milliseconds timeout, std::stop_token stop,
                     const job::ProgressCallback &progress = {});

  int starts() const { return m_starts; } // how many processes there have been

private:
  void recycle();

  job::ProcessOptions m_worker;
  std::unique_ptr<job::WorkerClient> m_client;
  int m_starts = 0;
};

} // namespace tessera::bench
