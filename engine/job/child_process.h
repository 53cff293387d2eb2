// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/process_options.h"
#include "engine/base/result.h"
#include "engine/file/unique_fd.h"

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

// The time `timeout` from now; a timeout of many years does not overflow.
std::chrono::steady_clock::time_point deadlineAfter(std::chrono::milliseconds timeout);

// A child process in a process group of its own, with pipes on its three standard streams. The
// destructor kills the whole group and reaps the child, so no started process outlives its owner.
// For use by one thread at a time.
//
// The child is reaped last, so that its pid cannot be reused while signals may still be sent to its
// group.
class ChildProcess {
public:
  using Deadline = std::chrono::steady_clock::time_point;

  static Result<ChildProcess> start(const ProcessOptions &options);
  explicit ChildProcess(Spawned spawned);

  ChildProcess(ChildProcess &&other) noexcept;
  ChildProcess &operator=(ChildProcess &&other) noexcept;
  ~ChildProcess();

  pid_t pid() const { return m_pid; }

  // Writes everything, or returns what prevented it; never raises SIGPIPE. Output of the child in
  // the meantime is kept for read() and errorText(), so that the two sides cannot block each other.
  enum class Write { Done, Closed, Deadline, Stopped };
  Write write(std::span<const std::byte> bytes, Deadline deadline, std::stop_token stop = {});
  void closeInput();

  struct Read {
    enum class Event { Bytes, EndOfStream, Deadline, Stopped };
    Event event = Event::EndOfStream;
    std::vector<std::byte> bytes; // from standard output
  };
  // Waits for bytes on standard output. The stream ends when the child closes it or exits, even if
  // a grandchild still holds the pipe.
  Read read(Deadline deadline, std::stop_token stop = {});

  // The last 64 KiB of standard error.
  const std::string &errorText() const { return m_errorText; }
  void clearErrorText() { m_errorText.clear(); }

  // Grants a long-lived child this much CPU time from now on, instead of since its start.
  void renewCpuLimit(std::chrono::seconds cpu);

  // Kills the group without waiting.
  void kill();
  // Sends SIGTERM, waits for `grace`, then kills the group and reaps the child.
  ProcessEnd terminate(std::chrono::milliseconds grace);
  // Waits until the child exits; nullopt if the deadline or a stop comes first. Reads only standard
  // error, so a child that fills its standard output does not exit.
  std::optional<ProcessEnd> wait(Deadline deadline, std::stop_token stop = {});

private:
  enum class Drain { Keep, Discard };

  bool ended(); // asks the kernel, without reaping
  std::optional<std::vector<std::byte>> readOutput();
  void readPending(Drain output); // reads what both streams contain now
  void drainErrors();
  void reap();
  void release();

  pid_t m_pid = -1;
  file::UniqueFd m_input;
  file::UniqueFd m_output;
  file::UniqueFd m_error;
  file::UniqueFd m_alive; // a pidfd; readable once the child has ended
  bool m_reaped = false;
  std::optional<ProcessEnd> m_end;
  std::vector<std::byte> m_early; // standard output that arrived during write()
  std::string m_errorText;
};

// Runs a program to its end and returns its output: for compilers, generators, Graphviz. The child
// is killed if this process or the calling thread ends.
struct ProcessReport {
  ProcessEnd end;
  bool timedOut = false;
  bool cancelled = false;
  std::string output; // at most 16 MiB; the rest is read and dropped
  std::string errors; // the last 64 KiB
};
Result<ProcessReport> runProcess(const ProcessOptions &options, std::chrono::milliseconds timeout,
                                 std::stop_token stop = {});

} // namespace tessera::job
