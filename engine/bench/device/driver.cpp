// SPDX-License-Identifier: MIT
#include "engine/bench/device/driver.h"

#include <string_view>

namespace tessera::bench {

namespace {

// Older drivers lack the newer names to which cuda.h maps functions, such as cuDeviceGetUuid_v2.
// Tells whether the plain name may be used instead because it takes the same arguments.
bool hasPlainName(std::string_view function) {
  return function == "cuEventElapsedTime" || function == "cuDeviceGetUuid";
}

} // namespace

std::unique_ptr<Driver> Driver::open() {
  auto library = SharedLibrary::open({"libcuda.so.1"}, SharedLibrary::Unload::Never);
  if (!library)
    fail(Outcome::DeviceLost, "NVIDIA's driver was not found: " + library.error().message + ".",
         "Install NVIDIA's driver, or measure on another machine with --host.");
  std::unique_ptr<Driver> driver(new Driver(std::move(*library)));
#define TESSERA_NAME_OF(function) #function
#define TESSERA_ASSIGN(function)                                                                   \
  if (!assignSymbol(driver->m_library, TESSERA_NAME_OF(function), driver->function) &&             \
      !(hasPlainName(#function) && assignSymbol(driver->m_library, #function, driver->function)))  \
    fail(Outcome::DeviceLost,                                                                      \
         "NVIDIA's driver is too old: it has no " TESSERA_NAME_OF(function) ".",                   \
         "Install a driver for CUDA 11 or newer.");
  TESSERA_CUDA_FUNCTIONS(TESSERA_ASSIGN)
#undef TESSERA_ASSIGN
#define TESSERA_ASSIGN_OF_GRAPHS(function)                                                         \
  if (!assignSymbol(driver->m_library, TESSERA_NAME_OF(function), driver->function) &&             \
      driver->m_missingForGraphs.empty())                                                          \
    driver->m_missingForGraphs = TESSERA_NAME_OF(function);
  TESSERA_CUDA_GRAPH_FUNCTIONS(TESSERA_ASSIGN_OF_GRAPHS)
#undef TESSERA_ASSIGN_OF_GRAPHS
#undef TESSERA_NAME_OF
  return driver;
}

std::string Driver::describe(CUresult code, const std::string &call) const {
  const char *name = nullptr, *words = nullptr;
  (void)cuGetErrorName(code, &name);
  (void)cuGetErrorString(code, &words);
  return call + " returned " + (name ? name : "the unknown error " + std::to_string(code)) +
         (words ? std::string(": ") + words : "");
}

void Driver::check(CUresult code, const std::string &call) const {
  if (code != CUDA_SUCCESS) fail(outcomeOf(code), describe(code, call) + ".", hintFor(code));
}

Outcome outcomeOf(CUresult code) {
  switch (code) {
  case CUDA_SUCCESS:
    return Outcome::Ok;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return Outcome::DeviceMemory;
  case CUDA_ERROR_LAUNCH_TIMEOUT:
    return Outcome::RunTimeout;
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_INVALID_SOURCE:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
  case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    return Outcome::CompileError;
  case CUDA_ERROR_NOT_INITIALIZED:
  case CUDA_ERROR_DEINITIALIZED:
  case CUDA_ERROR_STUB_LIBRARY:
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_INVALID_DEVICE:
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
  case CUDA_ERROR_OPERATING_SYSTEM:
  case CUDA_ERROR_SYSTEM_NOT_READY:
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
  case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
  case CUDA_ERROR_UNKNOWN: // reported if a GPU fell off its bus
    return Outcome::DeviceLost;
  default: // the kernel's own fault: illegal address, too many resources …
    return Outcome::LaunchError;
  }
}

std::string hintFor(CUresult code) {
  switch (outcomeOf(code)) {
  case Outcome::DeviceMemory:
    return "Measure at a smaller size, or end other programs that use the GPU's memory.";
  case Outcome::CompileError:
    return "The bundle is for another GPU, or too new for the driver.";
  case Outcome::DeviceLost:
    return "`nvidia-smi` shows whether the driver still sees the GPU.";
  default:
    return "";
  }
}

} // namespace tessera::bench
