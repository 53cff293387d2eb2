// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/failure.h"
#include "engine/bench/device/shared_library.h"

#include <cuda.h>

#include <memory>
#include <string>

namespace tessera::bench {

// Every function of CUDA's driver that we call. cuda.h turns some names into cuMemAlloc_v2 and the
// like; here, in the library and where they are called.
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

// Those for graphs, without which all else works. cuGraphInstantiate has other arguments in older
// drivers, under its plain name.
#define TESSERA_CUDA_GRAPH_FUNCTIONS(F)                                                            \
  F(cuStreamCreate)                                                                                \
  F(cuStreamDestroy)                                                                               \
  F(cuStreamBeginCapture)                                                                          \
  F(cuStreamEndCapture)                                                                            \
  F(cuGraphInstantiateWithFlags)                                                                   \
  F(cuGraphLaunch)                                                                                 \
  F(cuGraphExecDestroy)                                                                            \
  F(cuGraphDestroy)

// libcuda.so.1 of this machine, opened when it is first needed.
class Driver {
public:
  // Fails with DeviceLost and the reason where there is no driver: no bundle is to blame.
  static std::unique_ptr<Driver> open();

#define TESSERA_DECLARE(function) decltype(&::function) function = nullptr;
  TESSERA_CUDA_FUNCTIONS(TESSERA_DECLARE)
  TESSERA_CUDA_GRAPH_FUNCTIONS(TESSERA_DECLARE)
#undef TESSERA_DECLARE

  // The first of the functions for graphs that this driver has not; empty: all are there.
  const std::string &missingForGraphs() const { return m_missingForGraphs; }

  void *symbol(const char *name) const { return m_library.symbol(name); }

  // Fails unless the code is success; `call` is what returned it, as a person knows it.
  void check(CUresult code, const std::string &call) const;
  std::string describe(CUresult code, const std::string &call) const;

private:
  explicit Driver(SharedLibrary library) : m_library(std::move(library)) {}
  SharedLibrary m_library;
  std::string m_missingForGraphs;
};

// What an error of the driver means for a measurement.
Outcome outcomeOf(CUresult code);
// What can be done about it; may be empty.
std::string hintFor(CUresult code);

} // namespace tessera::bench
