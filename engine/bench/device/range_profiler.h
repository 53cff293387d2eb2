// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/shared_library.h"

#include <cuda.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

// CUPTI's range profiler, which reads hardware counters of each launch. The hardware cannot count
// everything at once, so the work runs several times. The caches are not flushed: they are as
// between normal runs.
//
// Launches are slower while the profiler counts and afterwards, so times must come from another
// process.
class RangeProfiler {
public:
  // `libraries` lists the places to look for CUPTI, in order. It is an error if the library lacks
  // this interface (before CUDA 12.8), or if the driver lets only administrators count.
  static Result<std::unique_ptr<RangeProfiler>> open(const std::vector<std::string> &libraries,
                                                     CUcontext context, std::size_t device);
  virtual ~RangeProfiler() = default;

  virtual std::string version() const = 0;               // "libcupti.so.13, API 130000"
  virtual std::string chip() const = 0;                  // "GH100"
  virtual bool has(const std::string &metric) const = 0; // whether this GPU counts it

  struct Counted {
    int passes = 0;
    std::vector<std::vector<double>> launches; // [launch][metric]: as in a run and in `metrics`
  };
  // `run` must make `launches` launches, each time the same ones in the same order.
  virtual Result<Counted> count(const std::vector<std::string> &metrics, std::size_t launches,
                                const std::function<void()> &run) = 0;
};

} // namespace tessera::bench
