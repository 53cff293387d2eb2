// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/process_options.h"
#include "engine/job/unique_fd.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tessera::job {

struct Spawned;

// From now; a timeout of many years does not overflow.
std::chrono::steady_clock::time_point deadlineAfter(std::chrono::milliseconds timeout);

// A child in a process group of its own, with pipes on its three standard streams. The destructor
// kills the whole group and reaps it: nothing that we started outlives us. For one thread at a
// time.
//
// The child is reaped last of all, so its pid cannot pass to another process while we may still
// send signals to its group.
class ChildProcess {
public:
  using Deadline = std::chrono::steady_clock::time_point;

  static Result<ChildProcess> start(const ProcessOptions &options);
  explicit ChildProcess(Spawned spawned);

  ChildProcess(ChildProcess &&other) noexcept;
  ChildProcess &operator=(ChildProcess &&other) noexcept;
  ~ChildProcess();

  pid_t pid() const { return m_pid; }

  // Writes everything, or says what came between; never raises SIGPIPE. What the child says
  // meanwhile is kept for read() and errorText(), so that neither side waits for the other.
  enum class Write { Done, Closed, Deadline, Stopped };
  Write write(std::span<const std::byte> bytes, Deadline deadline, std::stop_token stop = {});
  void closeInput();

  struct Read {
    enum class Event { Bytes, EndOfStream, Deadline, Stopped };
    Event event = Event::EndOfStream;
    std::vector<std::byte> bytes; // of standard output
  };
  // Waits for bytes on standard output. The stream ends when the child closes it or ends itself,
  // even where a grandchild still holds the pipe.
  Read read(Deadline deadline, std::stop_token stop = {});

  // The last 64 KiB of standard error.
  const std::string &errorText() const { return m_errorText; }
  void clearErrorText() { m_errorText.clear(); }

  // Gives a long-lived child this much processor time from now on, instead of since its start.
  void renewCpuLimit(std::chrono::seconds cpu);

  // Kills the group and does not wait.
  void kill();
  // Asks politely (SIGTERM), waits for `grace`, then kills the group and reaps.
  ProcessEnd terminate(std::chrono::milliseconds grace);
  // Waits until it ends; nothing when the deadline or a stop comes first. Reads only its standard
  // error, so a child that fills its output does not end.
  std::optional<ProcessEnd> wait(Deadline deadline, std::stop_token stop = {});

private:
  enum class Drain { Keep, Discard };

  bool ended(); // asks the kernel, without reaping
  std::optional<std::vector<std::byte>> readOutput();
  void readPending(Drain output); // what both streams hold now
  void drainErrors();
  void reap();
  void release();

  pid_t m_pid = -1;
  UniqueFd m_input;
  UniqueFd m_output;
  UniqueFd m_error;
  UniqueFd m_alive; // a pidfd: readable once the child has ended
  bool m_reaped = false;
  std::optional<ProcessEnd> m_end;
  std::vector<std::byte> m_early; // standard output that came while we were writing
  std::string m_errorText;
};

// Runs a program to its end and returns what it wrote: for compilers, generators, Graphviz. The
// child also ends when this process, or the calling thread, does.
struct ProcessReport {
  ProcessEnd end;
  bool timedOut = false;
  bool cancelled = false;
  std::string output; // capped at 16 MiB; what is beyond is read and dropped
  std::string errors; // last 64 KiB
};
Result<ProcessReport> runProcess(const ProcessOptions &options, std::chrono::milliseconds timeout,
                                 std::stop_token stop = {});

} // namespace tessera::job
