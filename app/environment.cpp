// SPDX-License-Identifier: MIT
#include "app/environment.h"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tessera::app {
namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

} // namespace

host::ToolSearch toolSearch() {
  std::error_code failed;
  host::ToolSearch search;
  search.programPath = std::filesystem::read_symlink("/proc/self/exe", failed).string();
  search.searchPath = variable("PATH");
  search.compiler = variable("CXX");
  search.home = variable("HOME");
  if (search.home.empty()) search.home = "/tmp";
  search.cacheHome = variable("XDG_CACHE_HOME");
  search.configHome = variable("XDG_CONFIG_HOME");
  search.stateHome = variable("XDG_STATE_HOME");
  search.cudaHome = variable("CUDA_HOME");
  search.halideRoot = TESSERA_HALIDE_ROOT;
  return search;
}

// Qt chooses a platform by its own variable first.
bool hasDisplay() {
  return !variable("QT_QPA_PLATFORM").empty() || !variable("DISPLAY").empty() ||
         !variable("WAYLAND_DISPLAY").empty();
}

std::string bundleStoreFolder() {
  const host::ToolSearch search = toolSearch();
  return (search.cacheHome.empty() ? search.home + "/.cache" : search.cacheHome) + "/tessera/gpu";
}

std::vector<std::string> profilerLibraries() {
  const std::string home = variable("CUDA_HOME");
  const std::string toolkit = home.empty() ? "/usr/local/cuda" : home;
  std::vector<std::string> libraries;
  for (const std::string name : {"libcupti.so.13", "libcupti.so.12"})
    for (const std::string &folder :
         {std::string(), toolkit + "/extras/CUPTI/lib64/", toolkit + "/lib64/",
          std::string(TESSERA_HALIDE_ROOT "/../nvidia/cu13/lib/")})
      libraries.push_back(folder + name);
  return libraries;
}

} // namespace tessera::app
