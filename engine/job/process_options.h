// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::job {

struct ProcessLimits {
  std::size_t addressSpaceBytes = 0; // 0: not limited
  std::chrono::seconds cpu{0};       // 0: not limited; a worker has this much for each request
};

// What an ssh runs on another machine. It ends with the exit code of a shell there, which says
// 128 + n of a program that signal n has ended; 255 is its own.
struct RemoteProgram {
  std::string name, host; // for errors
};

struct ProcessEvent;

struct ProcessOptions {
  std::string program; // a path, or a name searched in PATH
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment; // added to ours
  std::string workingDirectory;                                 // empty: ours
  ProcessLimits limits;
  std::optional<RemoteProgram> remote; // where `program` is an ssh
  // Hears what becomes of the process (process_event.h), in whichever thread deals with it; must
  // not throw. Empty: nobody listens.
  std::function<void(const ProcessEvent &)> listener;
};

// How a process ended: by itself with a code, or by a signal.
struct ProcessEnd {
  bool signalled = false;
  int value = 0; // exit code or signal number; code -1 where somebody else has reaped it

  friend bool operator==(const ProcessEnd &, const ProcessEnd &) = default;
};

} // namespace tessera::job
