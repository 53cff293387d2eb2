// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/driver.h"

#include <map>
#include <string>
#include <vector>

namespace tessera::bench {

// What stands between a bundle's runtime and the driver. Halide's runtime asks us for each of the
// driver's functions by name; for four of them it gets ours, which note something and call the
// driver's. So the register cap is given per bundle (Halide reads it from the environment), an
// error keeps its code, and launches can be timed without a profiler.
//
// The runtime's callbacks carry no pointer of ours: of several bundles, each with hooks of its own,
// those of the active one are called.
class LaunchHooks {
public:
  LaunchHooks(const Driver &driver, CUcontext context, int registerCap);
  ~LaunchHooks();
  LaunchHooks(const LaunchHooks &) = delete;
  LaunchHooks &operator=(const LaunchHooks &) = delete;

  void activate() { s_installed = this; }

  // Machine code that the driver gets instead of the PTX that the runtime gives it.
  void replaceCode(std::string assembled) { m_assembled = std::move(assembled); }

  // Tells the runtime inside a bundle's library about us; fails where it is none that we know.
  void install(const SharedLibrary &library) const;

  // The first error since the last call of clearFailure().
  CUresult failure() const { return m_failure; }
  const std::string &failedCall() const { return m_failedCall; }
  const std::string &complaint() const { return m_complaint; } // in the runtime's words
  const std::string &compilerLog() const { return m_compilerLog; }
  void clearFailure();

  struct Kernel {
    std::string name;
    int registers = 0;
    std::int64_t localBytes = 0;
  };
  const std::map<CUfunction, Kernel> &kernels() const { return m_kernels; }

  // Since the last reset.
  std::int64_t allocations() const { return m_allocations; }
  void resetAllocations() { m_allocations = 0; }

  // Between these two, every launch gets an event before and after it.
  struct Launch {
    CUfunction function;
    double seconds;
  };
  void startTiming() { m_isTiming = true; }
  std::vector<Launch> finishTiming(); // after a synchronisation

  // Launches go to this stream instead of the runtime's; null: to the runtime's.
  void divertTo(CUstream stream) { m_diverted = stream; }

  // Between these two, every launch is noted: the names of kernels, in order.
  void startListing() { m_isListing = true; }
  std::vector<std::string> finishListing();

private:
  struct Timed {
    CUfunction function;
    CUevent before, after;
  };
  // What the runtime calls; each knows the installed object.
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
