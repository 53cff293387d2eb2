// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

// CUPTI's activity records: when each kernel began and ended, on the GPU's own clock.
//
// After a recording, launches stay slower in this process, even once the trace was stopped. A
// caller that needs undisturbed times must start another process.
class KernelTrace {
public:
  // `libraries` lists the places to look for CUPTI, in order.
  static Result<std::unique_ptr<KernelTrace>> open(const std::vector<std::string> &libraries);
  virtual ~KernelTrace() = default;

  virtual std::string version() const = 0; // "libcupti.so.13, API 130000"

  struct Launch {
    std::string kernel;
    double seconds = 0;
  };
  virtual Status start() = 0;
  // The launches since the start, in the order in which they began. Call it after a
  // synchronisation.
  virtual Result<std::vector<Launch>> stop() = 0;
};

} // namespace tessera::bench
