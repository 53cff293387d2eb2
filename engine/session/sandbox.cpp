// SPDX-License-Identifier: MIT
#include "engine/session/sandbox.h"

#include <utility>

namespace tessera::session {

Result<job::ProcessOptions> sandboxed(job::ProcessOptions options, const std::string &sandbox,
                                      const std::string &writableFolder) {
  if (sandbox.empty())
    return Error{ErrorCode::System,
                 "Generators run in a sandbox only, and bubblewrap (bwrap) is not installed.",
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
                                     "--bind",
                                     writableFolder,
                                     writableFolder,
                                     "--chdir",
                                     writableFolder,
                                     "--setenv",
                                     "TMPDIR",
                                     writableFolder,
                                     "--"};
  arguments.push_back(std::move(options.program));
  for (std::string &argument : options.arguments)
    arguments.push_back(std::move(argument));
  options.program = sandbox;
  options.arguments = std::move(arguments);
  return options;
}

} // namespace tessera::session
