// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::bench {

// A reason why resident warps did not issue an instruction, and its share of the time in which they
// were resident. The exception is "selected": in its share of the time they did issue.
struct Stall {
  std::string reason; // NVIDIA's word: "long_scoreboard"
  double share = 0;

  friend bool operator==(const Stall &, const Stall &) = default;
};

// The hardware counters of one kernel for all its launches in one run. Counts and times are sums;
// occupancy and stalls are means. A counter is nullopt if this GPU does not have it.
struct KernelCounters {
  std::string name;
  double launches = 0;
  std::optional<double> dramReadBytes, dramWriteBytes, l2Bytes, l1Bytes, sharedBytes;
  std::optional<double> fp64, fp32, fp16; // operations; a fused multiply-add counts twice
  std::optional<double> integers;         // integer instructions, counted for each thread
  std::optional<double> occupancy; // resident warps as a fraction of the possible ones, 0 to 1
  std::optional<double> seconds;   // under the profiler: not comparable with other times
  std::vector<Stall> stalls;       // the largest share comes first

  friend bool operator==(const KernelCounters &, const KernelCounters &) = default;
};

struct CounterReport {
  std::string profiler;                // library name and version
  std::string chip;                    // NVIDIA's name of the chip: "GH100"
  std::string refused;                 // why nothing was counted, for the user; empty: counted
  std::string hint;                    // what the user could do about it
  int passes = 0;                      // number of runs that were needed to read all counters
  std::vector<KernelCounters> kernels; // in the order of the bundle
  std::vector<std::string> remarks;    // what this GPU cannot count

  friend bool operator==(const CounterReport &, const CounterReport &) = default;
};

nlohmann::ordered_json toJson(const CounterReport &report);
Result<CounterReport> counterReportFromJson(const nlohmann::json &document);

} // namespace tessera::bench
