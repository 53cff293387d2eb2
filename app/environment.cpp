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

session::ToolSearch toolSearch() {
  std::error_code failed;
  session::ToolSearch search;
  search.programPath = std::filesystem::read_symlink("/proc/self/exe", failed).string();
  search.searchPath = variable("PATH");
  search.compiler = variable("CXX");
  search.home = variable("HOME");
  if (search.home.empty()) search.home = "/tmp";
  search.cacheHome = variable("XDG_CACHE_HOME");
  search.configHome = variable("XDG_CONFIG_HOME");
  search.cudaHome = variable("CUDA_HOME");
  search.halideRoot = TESSERA_HALIDE_ROOT;
  return search;
}

} // namespace tessera::app
