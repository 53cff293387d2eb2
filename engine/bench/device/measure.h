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
  bool isTainted = false; // a profiler has been at work: no more times from this process
};

// Runs a bundle and times it. Its outputs are compared first: wrong ones end it without a time.
Measured measureBundle(const Workbench &bench, const MeasureOptions &options);

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
