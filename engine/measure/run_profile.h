// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/kept_measurement.h"
#include "engine/schedule/schedule.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::measure {

// The parts of one run of a measured bundle: the time of each kernel in launch order, the gaps
// between kernels, and which memory is needed when. The times are medians, not the record of one
// run. A kernel that is launched several times appears once, with all its launches.
struct RunProfile {
  struct Kernel {
    std::string name; // as in the bundle
    // Stages that the kernel computes; the stage that owns its blocks comes first.
    std::vector<report::KernelStage> stages;
    double launches = 0;
    double seconds = 0;          // seconds of all launches; 0: not timed
    double begin = 0;            // sum of the seconds of all earlier kernels, without gaps
    std::int64_t aliveBytes = 0; // bytes of the intermediates that are needed while the kernel runs
  };
  // A buffer in device memory that only kernels use.
  struct Intermediate {
    std::string func;
    std::int64_t bytes = 0;
    double times = 1;             // allocations per run
    std::size_t from = 0, to = 0; // first and last kernel that need the buffer
  };

  std::vector<Kernel> kernels;
  bool isTimed = false; // whether each kernel was timed
  double seconds = 0;   // seconds per run, in runs back to back
  std::optional<double> gapSeconds, allocationSeconds;
  std::vector<Intermediate> intermediates; // in the order of the bundle
  std::int64_t peakBytes = 0;              // maximal sum of intermediates needed at one time
  std::int64_t inputBytes = 0, outputBytes = 0;

  std::int64_t intermediateBytes() const; // of all intermediates together
};

// `schedule` must be the one that was measured.
RunProfile profileOf(const KeptMeasurement &measurement, const schedule::Schedule &schedule);

// The measured times of the kernels of a prediction. `owners` identifies each kernel by the stage
// that owns its blocks. A time is for all launches of the kernel in a run; nullopt: not timed.
std::vector<std::optional<double>> measuredSeconds(const KeptMeasurement &measurement,
                                                   const std::vector<std::string> &owners);

// The hardware counters of the same kernels, in the order of `owners`; null if a kernel was not
// counted.
std::vector<const bench::KernelCounters *> countedKernels(const KeptMeasurement &measurement,
                                                          const std::vector<std::string> &owners);

} // namespace tessera::measure
