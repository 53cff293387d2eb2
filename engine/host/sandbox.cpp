// SPDX-License-Identifier: MIT
#include "engine/host/sandbox.h"

#include <filesystem>
#include <initializer_list>
#include <utility>

namespace tessera::host {
namespace {

// What the drivers of NVIDIA, AMD and Intel open.
std::vector<std::string> gpuDevices() {
  std::vector<std::string> devices;
  std::error_code unreadable;
  for (const auto &entry : std::filesystem::directory_iterator("/dev", unreadable)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("nvidia") || name == "dri" || name == "kfd")
      devices.push_back(entry.path().string());
  }
  return devices;
}

// Where a folder is mounted. bwrap makes no folder through a link, of which there are none in a new
// /tmp; elsewhere they lead to what is mounted.
std::string placeOf(const std::string &folder) {
  if (folder.starts_with("/tmp/")) return folder;
  std::error_code missing;
  const auto path = std::filesystem::canonical(folder, missing);
  return missing ? folder : path.string();
}

} // namespace

Result<job::ProcessOptions> sandboxed(job::ProcessOptions options, const std::string &sandbox,
                                      const SandboxFolders &folders) {
  if (sandbox.empty())
    return Error{ErrorCode::System,
                 "Generators only run in a sandbox, but bubblewrap (bwrap) is not installed.",
                 "Install the package 'bubblewrap'."};
  std::vector<std::string> arguments{"--unshare-all",
                                     "--die-with-parent",
                                     "--new-session",
                                     "--cap-drop",
                                     "ALL",
                                     "--ro-bind",
                                     "/",
                                     "/",
                                     "--dev",
                                     "/dev",
                                     "--proc",
                                     "/proc",
                                     "--tmpfs",
                                     "/tmp"};
  const auto add = [&](std::initializer_list<std::string> words) {
    arguments.insert(arguments.end(), words);
  };
  if (folders.hasGpu)
    for (const std::string &device : gpuDevices())
      add({"--dev-bind", device, device});
  for (const std::string &folder : folders.readable)
    add({"--ro-bind", folder, placeOf(folder)});
  const std::string place = placeOf(folders.writable);
  add({"--bind", folders.writable, place, "--chdir", place, "--"});
  arguments.push_back(std::move(options.program));
  for (std::string &argument : options.arguments)
    arguments.push_back(std::move(argument));
  options.program = sandbox;
  options.arguments = std::move(arguments);
  return options;
}

} // namespace tessera::host
