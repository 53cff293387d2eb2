// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/shared_library.h"

#include <cuda.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

// CUPTI's range profiler: hardware counters of each launch. Not all fit into the hardware at once,
// so the work is run several times; caches are left as they are, as they would be between runs.
//
// Launches are slower while it counts and after: times come from another process.
class RangeProfiler {
public:
  // `libraries`: where CUPTI may be, in this order. A library without this interface (before CUDA
  // 12.8) is an error, as is a driver that lets only administrators count.
  static Result<std::unique_ptr<RangeProfiler>> open(const std::vector<std::string> &libraries,
                                                     CUcontext context, std::size_t device);
  virtual ~RangeProfiler() = default;

  virtual std::string version() const = 0;               // "libcupti.so.13, API 130000"
  virtual std::string chip() const = 0;                  // "GH100"
  virtual bool has(const std::string &metric) const = 0; // whether this GPU counts it

  struct Counted {
    int passes = 0;
    std::vector<std::vector<double>> launches; // in order; of each the metrics in order
  };
  // `run` makes `launches` launches, the same in the same order each time.
  virtual Result<Counted> count(const std::vector<std::string> &metrics, std::size_t launches,
                                const std::function<void()> &run) = 0;
};

} // namespace tessera::bench
