// SPDX-License-Identifier: MIT
#include "engine/halide/verify/driver_compiler.h"

#include <Halide.h>

#include <atomic>
#include <cstdint>
#include <dlfcn.h>
#include <exception>
#include <mutex>
#include <string_view>
#include <vector>

namespace tessera::halide {

namespace {

// This folder does not include CUDA's headers. CUresult and CUjit_option of cuda.h are ints here.
using LoadModule = int (*)(void **, const void *, unsigned, int *, void **);
constexpr int kOptimizationLevel = 7; // CU_JIT_OPTIMIZATION_LEVEL

std::atomic<LoadModule> s_loadModule{nullptr};
std::atomic<bool> s_optimize{true};

int loadUnoptimized(void **module, const void *image, unsigned count, int *options, void **values) {
  std::vector<int> all(options, options + count);
  std::vector<void *> allValues(values, values + count);
  all.push_back(kOptimizationLevel);
  allValues.push_back(reinterpret_cast<void *>(std::uintptr_t{0}));
  return s_loadModule.load()(module, image, count + 1, all.data(), allValues.data());
}

// Called from the runtime's C code, so no exception may leave it.
int loadModule(void **module, const void *image, unsigned count, int *options, void **values) {
  constexpr int kOutOfMemory = 2; // CUDA_ERROR_OUT_OF_MEMORY
  try {
    if (!s_optimize) return loadUnoptimized(module, image, count, options, values);
  } catch (const std::exception &) {
    return kOutOfMemory;
  }
  return s_loadModule.load()(module, image, count, options, values);
}

// Halide's own way, JITSharedRuntime::set_default_handlers(), has no effect in Halide 21. So this
// calls the runtime's own function.
void install() {
  using SetCustom = void *(*)(void *(*)(void *, const char *));
  const Halide::Target host = Halide::get_host_target();
  for (const auto &module : Halide::Internal::JITSharedRuntime::get(nullptr, host, true)) {
    const auto found = module.exports().find("halide_set_custom_get_library_symbol");
    if (found == module.exports().end()) continue;
    reinterpret_cast<SetCustom>(found->second.address)(&detail::driverFunction);
  }
}

} // namespace

void *detail::driverFunction(void *library, const char *name) {
  void *const found = ::dlsym(library, name);
  if (!found || std::string_view(name) != "cuModuleLoadDataEx") return found;
  s_loadModule = reinterpret_cast<LoadModule>(found);
  return reinterpret_cast<void *>(&loadModule);
}

void letDriverOptimize(bool optimize) {
  static std::once_flag installed;
  std::call_once(installed, &install);
  s_optimize = optimize;
}

} // namespace tessera::halide
