// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/device.h"
#include "engine/bench/device/kernel_trace.h"
#include "engine/bench/measure_request.h"
#include "engine/bench/measurement.h"

#include <functional>
#include <string>
#include <vector>

namespace tessera::bench {

using PhaseCallback = std::function<void(const std::string &phase, double fraction)>;

// What main() knows and the measuring needs.
struct WorkerSettings {
  std::vector<std::string> profilers; // where CUPTI may be, in this order
  std::string program;                // version and commit
  std::string store;                  // folder of bundles that others send
};

struct Measured {
  Measurement measurement;
  bool isTainted = false; // a profiler has been at work: no more times from this process
};

// Runs a bundle and times it. Its outputs are compared first: wrong ones end it without a time.
Measured measureBundle(const Device &device, const MeasureOptions &options,
                       const WorkerSettings &settings, const PhaseCallback &phase);

// What the driver makes of a bundle's kernels, nothing launched.
struct KernelFacts {
  std::string name;
  int registers = 0;
  std::int64_t localBytes = 0, sharedBytes = 0; // shared: static
  int threadsPerBlock = 0;                      // that it could have at most
};
struct LoadFacts {
  double seconds = 0; // of the driver's compiler; its cache may have had it
  std::vector<KernelFacts> kernels;
};
LoadFacts loadKernels(const Device &device, const std::string &bundle);

} // namespace tessera::bench
