// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/workbench.h"
#include "engine/bench/measure_request.h"
#include "engine/bench/measurement.h"

#include <string>
#include <vector>

namespace tessera::bench {

struct Measured {
  Measurement measurement;
  bool isTainted = false; // a profiler was used: the process must take no more times
};

// Runs a bundle and times it. Its outputs are compared first; wrong outputs end the measurement
// without a time.
Measured measureBundle(const Workbench &bench, const MeasureOptions &options);

// Properties of a bundle's kernels as compiled by the driver; nothing is launched.
struct KernelFacts {
  std::string name;
  int registers = 0;
  std::int64_t localBytes = 0, sharedBytes = 0; // sharedBytes: static shared memory only
  int threadsPerBlock = 0;                      // the maximum
};
struct LoadFacts {
  double seconds = 0; // compile time of the driver, which may use its cache
  std::vector<KernelFacts> kernels;
};
LoadFacts loadKernels(const Device &device, const std::string &bundle);

} // namespace tessera::bench
