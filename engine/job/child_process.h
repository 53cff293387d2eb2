// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace tessera::job {

struct ProcessLimits {
  std::size_t addressSpaceBytes = 0; // 0: not limited
  std::chrono::seconds cpu{0};       // 0: not limited
};

struct ProcessOptions {
  std::string program; // absolute, or searched in PATH
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment; // added to ours
  std::string workingDirectory;                                 // empty: ours
  ProcessLimits limits;
};

// How a process ended: by itself with a code, or by a signal.
struct ProcessEnd {
  bool signalled = false;
  int value = 0; // exit code or signal number

  friend bool operator==(const ProcessEnd &, const ProcessEnd &) = default;
};

// A child in a process group of its own, with pipes on its three standard streams. The destructor
// kills the whole group and reaps it: nothing that we started outlives us.
class ChildProcess {
public:
  static Result<ChildProcess> start(const ProcessOptions &options);

  ChildProcess(ChildProcess &&other) noexcept;
  ChildProcess &operator=(ChildProcess &&other) noexcept;
  ~ChildProcess();

  pid_t pid() const { return m_pid; }

  // Writes everything or fails; never raises SIGPIPE.
  Status write(std::span<const std::byte> bytes, std::chrono::steady_clock::time_point deadline,
               std::stop_token stop = {});
  void closeInput();

  struct Read {
    enum class Event { Bytes, EndOfStream, Deadline, Stopped };
    Event event = Event::EndOfStream;
    std::vector<std::byte> bytes; // of standard output
  };
  // Waits for bytes on standard output; what arrives on standard error meanwhile is kept in
  // errorText(), its last 64 KiB.
  Read read(std::chrono::steady_clock::time_point deadline, std::stop_token stop = {});
  const std::string &errorText() const { return m_errorText; }

  // Asks politely (SIGTERM), waits for `grace`, then kills the group.
  ProcessEnd terminate(std::chrono::milliseconds grace);
  // Waits until it ends or the deadline passes.
  std::optional<ProcessEnd> wait(std::chrono::steady_clock::time_point deadline);

private:
  ChildProcess() = default;
  void drainErrors();
  void release();

  pid_t m_pid = -1;
  int m_input = -1;
  int m_output = -1;
  int m_error = -1;
  std::optional<ProcessEnd> m_end;
  std::string m_errorText;
};

// Runs a program to its end and returns what it wrote: for compilers, generators, Graphviz.
struct ProcessReport {
  ProcessEnd end;
  bool timedOut = false;
  bool cancelled = false;
  std::string output; // capped at 16 MiB
  std::string errors; // last 64 KiB
};
Result<ProcessReport> runProcess(const ProcessOptions &options, std::chrono::milliseconds timeout,
                                 std::stop_token stop = {});

} // namespace tessera::job
