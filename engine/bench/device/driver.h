// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/failure.h"
#include "engine/bench/device/shared_library.h"

#include <cuda.h>

#include <memory>
#include <string>

namespace tessera::bench {

// The functions that a CUDA driver must have. cuda.h defines some of these names as macros for
// newer ones such as cuMemAlloc_v2; both the lookup in the library and the calls use the newer
// name.
#define TESSERA_CUDA_FUNCTIONS(F)                                                                  \
  F(cuInit)                                                                                        \
  F(cuDriverGetVersion)                                                                            \
  F(cuGetErrorName)                                                                                \
  F(cuGetErrorString)                                                                              \
  F(cuDeviceGetCount)                                                                              \
  F(cuDeviceGet)                                                                                   \
  F(cuDeviceGetName)                                                                               \
  F(cuDeviceGetUuid)                                                                               \
  F(cuDeviceGetPCIBusId)                                                                           \
  F(cuDeviceGetAttribute)                                                                          \
  F(cuDeviceTotalMem)                                                                              \
  F(cuDevicePrimaryCtxRetain)                                                                      \
  F(cuCtxSetCurrent)                                                                               \
  F(cuCtxSynchronize)                                                                              \
  F(cuModuleLoadDataEx)                                                                            \
  F(cuModuleUnload)                                                                                \
  F(cuModuleGetFunction)                                                                           \
  F(cuFuncGetAttribute)                                                                            \
  F(cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                   \
  F(cuLaunchKernel)                                                                                \
  F(cuMemAlloc)                                                                                    \
  F(cuMemFree)                                                                                     \
  F(cuMemsetD8)                                                                                    \
  F(cuMemsetD8Async)                                                                               \
  F(cuEventCreate)                                                                                 \
  F(cuEventDestroy)                                                                                \
  F(cuEventRecord)                                                                                 \
  F(cuEventElapsedTime)

// Functions for graphs; everything else works without them. cuGraphInstantiate is avoided because
// older drivers have a function of this name with other arguments.
#define TESSERA_CUDA_GRAPH_FUNCTIONS(F)                                                            \
  F(cuStreamCreate)                                                                                \
  F(cuStreamDestroy)                                                                               \
  F(cuStreamBeginCapture)                                                                          \
  F(cuStreamEndCapture)                                                                            \
  F(cuGraphInstantiateWithFlags)                                                                   \
  F(cuGraphLaunch)                                                                                 \
  F(cuGraphExecDestroy)                                                                            \
  F(cuGraphDestroy)

// The driver's library libcuda.so.1 of this machine, opened when it is first needed.
class Driver {
public:
  // If there is no driver, fails with DeviceLost and the reason, because the bundle is not to
  // blame.
  static std::unique_ptr<Driver> open();

#define TESSERA_DECLARE(function) decltype(&::function) function = nullptr;
  TESSERA_CUDA_FUNCTIONS(TESSERA_DECLARE)
  TESSERA_CUDA_GRAPH_FUNCTIONS(TESSERA_DECLARE)
#undef TESSERA_DECLARE

  // The first function for graphs that this driver lacks; empty if all are present.
  const std::string &missingForGraphs() const { return m_missingForGraphs; }

  void *symbol(const char *name) const { return m_library.symbol(name); }

  // Fails unless the code is success. `call` names the call for the user.
  void check(CUresult code, const std::string &call) const;
  std::string describe(CUresult code, const std::string &call) const;

private:
  explicit Driver(SharedLibrary library) : m_library(std::move(library)) {}
  SharedLibrary m_library;
  std::string m_missingForGraphs;
};

// The outcome that an error of the driver means for a measurement.
Outcome outcomeOf(CUresult code);
// What the user can do about the error; may be empty.
std::string hintFor(CUresult code);

} // namespace tessera::bench
