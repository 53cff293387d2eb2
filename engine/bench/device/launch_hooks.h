// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/driver.h"

#include <map>
#include <string>
#include <vector>

namespace tessera::bench {

// Sits between a bundle's runtime and the driver. Halide's runtime asks these hooks for each driver
// function by name. For four functions the runtime gets a wrapper, which records or changes the
// call and passes it to the driver. So the register cap can differ per bundle (Halide reads it from
// the environment), an error keeps its code, and launches can be timed without a profiler.
//
// The runtime's callbacks carry no user pointer. If several bundles are loaded, each with its own
// hooks, the callbacks go to the active ones.
class LaunchHooks {
public:
  LaunchHooks(const Driver &driver, CUcontext context, int registerCap);
  ~LaunchHooks();
  LaunchHooks(const LaunchHooks &) = delete;
  LaunchHooks &operator=(const LaunchHooks &) = delete;

  void activate() { s_installed = this; }

  // Makes the driver load this machine code instead of the PTX that the runtime passes.
  void replaceCode(std::string assembled) { m_assembled = std::move(assembled); }

  // Registers the hooks with the runtime inside a bundle's library. Fails if that runtime has no
  // functions for this.
  void install(const SharedLibrary &library) const;

  // The first error since the last clearFailure().
  CUresult failure() const { return m_failure; }
  const std::string &failedCall() const { return m_failedCall; }
  const std::string &complaint() const { return m_complaint; }     // the runtime's error text
  const std::string &compilerLog() const { return m_compilerLog; } // of the last loaded module
  void clearFailure();

  struct Kernel {
    std::string name;
    int registers = 0;
    std::int64_t localBytes = 0;
  };
  const std::map<CUfunction, Kernel> &kernels() const { return m_kernels; }

  // Allocations since the last reset.
  std::int64_t allocations() const { return m_allocations; }
  void resetAllocations() { m_allocations = 0; }

  // Between startTiming() and finishTiming(), each launch gets an event before and after it.
  struct Launch {
    CUfunction function;
    double seconds;
  };
  void startTiming() { m_isTiming = true; }
  std::vector<Launch> finishTiming(); // call after a synchronisation

  // Sends launches to this stream instead of the runtime's; null means the runtime's own stream.
  void divertTo(CUstream stream) { m_diverted = stream; }

  // Between startListing() and finishListing(), the kernel names of all launches are recorded in
  // order.
  void startListing() { m_isListing = true; }
  std::vector<std::string> finishListing();

private:
  struct Timed {
    CUfunction function;
    CUevent before, after;
  };
  // The functions that the runtime calls. They act on the active hooks.
  struct Callbacks;

  CUresult noted(CUresult code, const char *call);
  CUresult loadModule(CUmodule *module, const void *image);
  void noteKernel(CUfunction function, const char *name);
  CUresult launch(CUfunction function, const unsigned (&shape)[7], CUstream stream,
                  void **arguments, void **extra);

  static LaunchHooks *s_installed;

  const Driver &m_driver;
  CUcontext m_context;
  int m_registerCap;
  std::string m_assembled;
  CUresult m_failure = CUDA_SUCCESS;
  std::string m_failedCall, m_complaint, m_compilerLog;
  std::map<CUfunction, Kernel> m_kernels;
  std::int64_t m_allocations = 0;
  CUstream m_diverted = nullptr;
  bool m_isTiming = false, m_isListing = false;
  std::vector<std::string> m_listed;
  std::vector<Timed> m_timed;
};

} // namespace tessera::bench
