// SPDX-License-Identifier: MIT
#include "engine/bench/device/shared_library.h"

#include <dlfcn.h>

namespace tessera::bench {

Result<SharedLibrary> SharedLibrary::open(const std::vector<std::string> &names, Unload unload) {
  const int flags = RTLD_NOW | RTLD_LOCAL | (unload == Unload::Never ? RTLD_NODELETE : 0);
  std::string problem;
  for (const std::string &name : names) {
    if (void *handle = ::dlopen(name.c_str(), flags)) return SharedLibrary(handle, name);
    const char *words = ::dlerror();
    if (problem.empty()) problem = words ? words : name + " cannot be opened";
  }
  return Error{ErrorCode::System, problem, ""};
}

void *SharedLibrary::symbol(const char *name) const { return ::dlsym(m_handle.get(), name); }

void SharedLibrary::Close::operator()(void *handle) const { ::dlclose(handle); }

} // namespace tessera::bench
