// SPDX-License-Identifier: MIT
#include "engine/host/tools.h"

#include <array>
#include <filesystem>
#include <initializer_list>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace tessera::host {
namespace {

namespace fs = std::filesystem;

std::string firstExisting(std::initializer_list<fs::path> candidates) {
  std::error_code ignored;
  for (const fs::path &candidate : candidates)
    if (fs::exists(candidate, ignored)) return candidate.lexically_normal().string();
  return candidates.begin()->lexically_normal().string();
}

std::string inSearchPath(const std::string &searchPath, std::initializer_list<std::string> names) {
  for (const std::string &name : names) {
    if (name.empty()) continue;
    if (name.find('/') != std::string::npos) {
      if (::access(name.c_str(), X_OK) == 0) return name;
      continue;
    }
    std::istringstream folders(searchPath);
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string candidate = folder + "/" + name;
      if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
  }
  return {};
}

// Looks beyond the search path too: NVIDIA's installer does not add the toolkit to it. On machines
// without a toolkit, packaging/ installs NVIDIA's wheels into the environment that contains Halide.
std::string cudaTool(const ToolSearch &search, std::initializer_list<std::string> names) {
  const std::string home = search.cudaHome.empty() ? "/usr/local/cuda" : search.cudaHome;
  std::vector<std::string> folders{"", home + "/bin/"};
  if (!search.cudaFolder.empty()) folders.insert(folders.begin(), search.cudaFolder + "/bin/");
  if (!search.halideRoot.empty())
    folders.push_back((fs::path(search.halideRoot) / "../nvidia/cu13/bin/").lexically_normal());
  for (const std::string &folder : folders)
    for (const std::string &name : names)
      if (std::string found = inSearchPath(search.searchPath, {folder + name}); !found.empty())
        return found;
  return {};
}

} // namespace

ToolPaths findTools(const ToolSearch &search) {
  const fs::path bin = fs::path(search.programPath).parent_path();
  const fs::path prefix = bin.parent_path();
  ToolPaths tools;
  tools.halideWorker =
      firstExisting({bin / "tessera-halide", prefix / "libexec/tessera/tessera-halide"});
  tools.layoutWorker =
      firstExisting({bin / "tessera-layout", prefix / "libexec/tessera/tessera-layout"});
  tools.gpuWorker = firstExisting({bin / "tessera-gpu", prefix / "libexec/tessera/tessera-gpu"});
  tools.generatorRunner =
      firstExisting({bin / "tessera-gengen", prefix / "libexec/tessera/tessera-gengen"});
  tools.plugin = firstExisting(
      {bin / "libautoschedule_tessera.so", prefix / "lib/libautoschedule_tessera.so"});
  tools.argumentLister =
      firstExisting({bin / "libtessera_arguments.so", prefix / "lib/libtessera_arguments.so"});
  tools.samples = firstExisting({prefix / "share/tessera/samples"});
  tools.machines = firstExisting({prefix / "share/tessera/machines"});
  tools.translations = firstExisting({prefix / "share/tessera/translations"});
  tools.halideRoot = search.halideRoot;
  tools.compiler = inSearchPath(search.searchPath, {search.compiler, "c++", "g++", "clang++"});
  tools.ssh = inSearchPath(search.searchPath, {"ssh"});
  tools.sandbox = inSearchPath(search.searchPath, {"bwrap"});
  tools.ptxas = cudaTool(search, {"ptxas"});
  tools.disassembler = cudaTool(search, {"nvdisasm", "cuobjdump"});
  const OwnFolders folders = search.folders.value_or(namedFolders(search));
  tools.cacheDir = folders.cache;
  tools.configDir = folders.config;
  tools.stateDir = folders.state;
  tools.temporary = folders.temporary;
  return tools;
}

std::string logFolder(const ToolPaths &tools) {
  return tools.stateDir.empty() ? "" : tools.stateDir + "/logs";
}

std::string trustFile(const ToolPaths &tools) {
  return tools.configDir.empty() ? "" : tools.configDir + "/trust.json";
}

} // namespace tessera::host
