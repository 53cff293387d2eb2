// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

// CUPTI's activity records: when each kernel began and ended, on the GPU's own clock.
//
// Once it has recorded, launches stay slower in this process, even after it was told to stop: who
// wants plain times next starts another process.
class KernelTrace {
public:
  // `libraries`: where to look, in this order.
  static Result<std::unique_ptr<KernelTrace>> open(const std::vector<std::string> &libraries);
  virtual ~KernelTrace() = default;

  virtual std::string version() const = 0; // "libcupti.so.13, 13.0"

  struct Launch {
    std::string kernel;
    double seconds = 0;
  };
  virtual Status start() = 0;
  // What was launched since, in the order in which it began; after a synchronisation.
  virtual Result<std::vector<Launch>> stop() = 0;
};

} // namespace tessera::bench
