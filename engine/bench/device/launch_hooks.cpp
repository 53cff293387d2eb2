// SPDX-License-Identifier: MIT
#include "engine/bench/device/launch_hooks.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace tessera::bench {

LaunchHooks *LaunchHooks::s_installed = nullptr;

// Plain functions that C code calls, so no exception may leave them.
struct LaunchHooks::Callbacks {
  static void complain(void *, const char *message) {
    std::string &complaint = s_installed->m_complaint;
    if (complaint.empty()) complaint = message;
  }

  static int acquireContext(void *, void **context, bool) {
    *context = s_installed->m_context;
    return 0;
  }

  static CUresult CUDAAPI loadModule(CUmodule *module, const void *image, unsigned, CUjit_option *,
                                     void **) {
    return s_installed->loadModule(module, image);
  }

  static CUresult CUDAAPI getFunction(CUfunction *function, CUmodule module, const char *name) {
    const CUresult code = s_installed->m_driver.cuModuleGetFunction(function, module, name);
    if (code == CUDA_SUCCESS) s_installed->noteKernel(*function, name);
    return s_installed->noted(code, "cuModuleGetFunction");
  }

  static CUresult CUDAAPI allocate(CUdeviceptr *address, std::size_t bytes) {
    ++s_installed->m_allocations;
    return s_installed->noted(s_installed->m_driver.cuMemAlloc(address, bytes), "cuMemAlloc");
  }

  static CUresult CUDAAPI launch(CUfunction function, unsigned gridX, unsigned gridY,
                                 unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                                 unsigned sharedBytes, CUstream stream, void **arguments,
                                 void **extra) {
    return s_installed->launch(function, {gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes},
                               stream, arguments, extra);
  }

  static void *symbol(void *, const char *name) {
    const std::string_view wanted = name;
    if (wanted == "cuModuleLoadDataEx") return reinterpret_cast<void *>(&loadModule);
    if (wanted == "cuModuleGetFunction") return reinterpret_cast<void *>(&getFunction);
    if (wanted == "cuMemAlloc_v2") return reinterpret_cast<void *>(&allocate);
    if (wanted == "cuLaunchKernel") return reinterpret_cast<void *>(&launch);
    return s_installed->m_driver.symbol(name);
  }
};

LaunchHooks::LaunchHooks(const Driver &driver, CUcontext context, int registerCap)
    : m_driver(driver), m_context(context), m_registerCap(registerCap) {
  activate();
}

LaunchHooks::~LaunchHooks() {
  if (s_installed == this) s_installed = nullptr;
}

void LaunchHooks::install(const SharedLibrary &library) const {
  // Each setter returns the former callback, which is ignored.
  void *(*setError)(void (*)(void *, const char *)) = nullptr;
  void *(*setContext)(int (*)(void *, void **, bool)) = nullptr;
  void *(*setSymbol)(void *(*)(void *, const char *)) = nullptr;
  if (!assignSymbol(library, "halide_set_error_handler", setError) ||
      !assignSymbol(library, "halide_set_cuda_acquire_context", setContext) ||
      !assignSymbol(library, "halide_set_custom_get_library_symbol", setSymbol))
    refuse("'" + library.name() + "' has no Halide runtime for CUDA that can be measured.",
           "Compile the bundle with tessera-cli compile.");
  setError(&Callbacks::complain);
  setContext(&Callbacks::acquireContext);
  setSymbol(&Callbacks::symbol);
}

void LaunchHooks::clearFailure() {
  m_failure = CUDA_SUCCESS;
  m_failedCall.clear();
  m_complaint.clear();
}

CUresult LaunchHooks::noted(CUresult code, const char *call) {
  if (code != CUDA_SUCCESS && m_failure == CUDA_SUCCESS) {
    m_failure = code;
    m_failedCall = call;
  }
  return code;
}

CUresult LaunchHooks::loadModule(CUmodule *module, const void *image) {
  std::array<char, 4096> log{};
  std::array<CUjit_option, 3> options{CU_JIT_MAX_REGISTERS, CU_JIT_ERROR_LOG_BUFFER,
                                      CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void *, 3> values{reinterpret_cast<void *>(static_cast<std::uintptr_t>(m_registerCap)),
                               log.data(),
                               reinterpret_cast<void *>(static_cast<std::uintptr_t>(log.size()))};
  const CUresult code = m_driver.cuModuleLoadDataEx(
      module, m_assembled.empty() ? image : m_assembled.data(),
      static_cast<unsigned>(options.size()), options.data(), values.data());
  m_compilerLog.assign(log.data(), ::strnlen(log.data(), log.size()));
  return noted(code, "cuModuleLoadDataEx");
}

void LaunchHooks::noteKernel(CUfunction function, const char *name) {
  const auto [entry, isNew] = m_kernels.try_emplace(function);
  if (!isNew) return;
  int registers = 0, localBytes = 0;
  (void)m_driver.cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
  (void)m_driver.cuFuncGetAttribute(&localBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function);
  entry->second = {name, registers, localBytes};
}

CUresult LaunchHooks::launch(CUfunction function, const unsigned (&shape)[7], CUstream stream,
                             void **arguments, void **extra) {
  if (m_diverted) stream = m_diverted;
  const auto go = [&] {
    return noted(m_driver.cuLaunchKernel(function, shape[0], shape[1], shape[2], shape[3], shape[4],
                                         shape[5], shape[6], stream, arguments, extra),
                 "cuLaunchKernel");
  };
  const auto kernel = m_kernels.find(function);
  if (m_isListing) m_listed.push_back(kernel == m_kernels.end() ? "" : kernel->second.name);
  if (!m_isTiming) return go();
  Timed timed{function, nullptr, nullptr};
  if (m_driver.cuEventCreate(&timed.before, CU_EVENT_DEFAULT) != CUDA_SUCCESS ||
      m_driver.cuEventCreate(&timed.after, CU_EVENT_DEFAULT) != CUDA_SUCCESS)
    return go();
  (void)m_driver.cuEventRecord(timed.before, stream);
  const CUresult code = go();
  (void)m_driver.cuEventRecord(timed.after, stream);
  m_timed.push_back(timed);
  return code;
}

std::vector<LaunchHooks::Launch> LaunchHooks::finishTiming() {
  m_isTiming = false;
  std::vector<Launch> launches;
  for (const Timed &timed : m_timed) {
    float milliseconds = 0;
    if (m_driver.cuEventElapsedTime(&milliseconds, timed.before, timed.after) == CUDA_SUCCESS)
      launches.push_back({timed.function, milliseconds / 1e3});
    m_driver.cuEventDestroy(timed.before);
    m_driver.cuEventDestroy(timed.after);
  }
  m_timed.clear();
  return launches;
}

std::vector<std::string> LaunchHooks::finishListing() {
  m_isListing = false;
  return std::exchange(m_listed, {});
}

} // namespace tessera::bench
