// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::bench {

// Why warps that were resident did not issue, as a part of all the time that they were.
struct Stall {
  std::string reason; // NVIDIA's word: "long_scoreboard"
  double share = 0;

  friend bool operator==(const Stall &, const Stall &) = default;
};

// What the hardware counted of one kernel, all its launches in one run together. None: this GPU
// has no such counter.
struct KernelCounters {
  std::string name;
  double launches = 0;
  std::optional<double> dramReadBytes, dramWriteBytes, l2Bytes, l1Bytes, sharedBytes;
  std::optional<double> fp64, fp32, fp16; // operations; a fused multiply-add is two
  std::optional<double> integers;         // instructions of threads
  std::optional<double> occupancy;        // of all warps that could be resident, 0 to 1
  std::optional<double> seconds;          // while it was counted: no time to compare with others
  std::vector<Stall> stalls;              // the largest first

  friend bool operator==(const KernelCounters &, const KernelCounters &) = default;
};

struct CounterReport {
  std::string profiler;                // the library and its version
  std::string chip;                    // NVIDIA's word for the GPU: "GH100"
  std::string refused;                 // why there are none, for a person; empty: there are some
  std::string hint;                    // what could be done about that
  int passes = 0;                      // runs that all counters took
  std::vector<KernelCounters> kernels; // in the order of the bundle
  std::vector<std::string> remarks;    // what this GPU does not count

  friend bool operator==(const CounterReport &, const CounterReport &) = default;
};

nlohmann::ordered_json toJson(const CounterReport &report);
Result<CounterReport> counterReportFromJson(const nlohmann::json &document);

} // namespace tessera::bench
