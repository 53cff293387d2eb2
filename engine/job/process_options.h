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
  std::size_t addressSpaceBytes = 0; // 0: unlimited
  std::chrono::seconds cpu{0};       // 0: unlimited; a worker has this time for each request
};

// The program that ssh runs on another machine. ssh ends with the exit code of the shell there,
// which is 128 + n if signal n ended the program; 255 is an error of ssh itself.
struct RemoteProgram {
  std::string name, host; // for error messages
};

struct ProcessEvent;

struct ProcessOptions {
  std::string program; // a path, or a name to search in PATH
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment; // added to the inherited one
  std::string workingDirectory;                                 // empty: inherited
  ProcessLimits limits;
  std::optional<RemoteProgram> remote; // set if `program` is ssh
  // Receives the events of the process (process_event.h), in the thread that handles the process.
  // Must not throw; may be empty.
  std::function<void(const ProcessEvent &)> listener;
};

// How a process ended: with an exit code or by a signal.
struct ProcessEnd {
  bool signalled = false;
  int value = 0; // exit code or signal number; code -1: reaped elsewhere

  friend bool operator==(const ProcessEnd &, const ProcessEnd &) = default;
};

} // namespace tessera::job
