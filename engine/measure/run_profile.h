// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/measure/kept_measurement.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::measure {

// One run of a measured bundle in its parts: what each kernel takes, one after the other as they
// are launched, what is between them, and which memory is needed when. Parts of medians, not the
// record of one run: kernels that take turns stand as one, with all their launches.
struct RunProfile {
  struct Kernel {
    std::string name;                        // as in the bundle
    std::vector<report::KernelStage> stages; // that it computes, its owner first
    double launches = 0;
    double seconds = 0;          // of all its launches; 0: not timed
    double begin = 0;            // where all before it are done, had nothing been between
    std::int64_t aliveBytes = 0; // of intermediates while it runs
  };
  // A buffer of the device's that only kernels see.
  struct Intermediate {
    std::string func;
    std::int64_t bytes = 0;
    double times = 1;             // that it is allocated in a run
    std::size_t from = 0, to = 0; // first and last kernel that need it
  };

  std::vector<Kernel> kernels;
  bool isTimed = false; // each kernel is
  double seconds = 0;   // of a run, back to back
  std::optional<double> gapSeconds, allocationSeconds;
  std::vector<Intermediate> intermediates; // in the order of the bundle
  std::int64_t peakBytes = 0;              // of intermediates at one time
  std::int64_t inputBytes = 0, outputBytes = 0;

  std::int64_t intermediateBytes() const; // of all together
};

// `schedule` is the one that was measured.
RunProfile profileOf(const KeptMeasurement &measurement, const schedule::Schedule &schedule);

// What each kernel of a prediction was measured to take, all launches of a run, in its order; by
// the stage that owns the blocks. None: not timed.
std::vector<std::optional<double>> measuredSeconds(const KeptMeasurement &measurement,
                                                   const std::vector<std::string> &owners);

// What the hardware counted of each of them; null: nobody counted it.
std::vector<const bench::KernelCounters *> countedKernels(const KeptMeasurement &measurement,
                                                          const std::vector<std::string> &owners);

} // namespace tessera::measure
