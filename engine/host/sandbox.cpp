// SPDX-License-Identifier: MIT
#include "engine/host/sandbox.h"

#include <initializer_list>
#include <utility>

namespace tessera::host {

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
  for (const std::string &folder : folders.readable)
    add({"--ro-bind", folder, folder});
  add({"--bind", folders.writable, folders.writable, "--chdir", folders.writable, "--"});
  arguments.push_back(std::move(options.program));
  for (std::string &argument : options.arguments)
    arguments.push_back(std::move(argument));
  options.program = sandbox;
  options.arguments = std::move(arguments);
  return options;
}

} // namespace tessera::host
