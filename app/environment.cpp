// SPDX-License-Identifier: MIT
#include "app/environment.h"

#include "engine/file/user_folder.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

namespace tessera::app {
namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

std::string temporaryFolder() {
  const std::string named = variable("TMPDIR");
  return named.starts_with('/') ? named : "/tmp";
}

} // namespace

host::ToolSearch toolSearch() {
  std::error_code failed;
  host::ToolSearch search;
  search.programPath = std::filesystem::read_symlink("/proc/self/exe", failed).string();
  search.searchPath = variable("PATH");
  search.compiler = variable("CXX");
  search.home = variable("HOME");
  search.cacheHome = variable("XDG_CACHE_HOME");
  search.configHome = variable("XDG_CONFIG_HOME");
  search.stateHome = variable("XDG_STATE_HOME");
  search.cudaHome = variable("CUDA_HOME");
  search.halideRoot = TESSERA_HALIDE_ROOT;
  search.temporary = temporaryFolder();
  return search;
}

// Qt chooses a platform by its own variable first.
bool hasDisplay() {
  return !variable("QT_QPA_PLATFORM").empty() || !variable("DISPLAY").empty() ||
         !variable("WAYLAND_DISPLAY").empty();
}

BundleStorePlace bundleStorePlace() {
  const file::UserFolder cache =
      file::userFolder(variable("XDG_CACHE_HOME"), variable("HOME"), ".cache");
  if (file::claim(cache)) return {cache.path + "/gpu", nullptr};
  auto scratch = file::ScratchFolder::create(temporaryFolder());
  if (!scratch) return {};
  auto temporary = std::make_unique<const file::ScratchFolder>(std::move(*scratch));
  std::string path = temporary->path();
  return {std::move(path), std::move(temporary)};
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
