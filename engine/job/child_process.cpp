// SPDX-License-Identifier: MIT
#include "engine/job/child_process.h"

#include "engine/job/poll_loop.h"
#include "engine/job/spawn.h"
#include "engine/job/stop_event.h"
#include "engine/file/no_sigpipe.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>

namespace tessera::job {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kErrorTextBytes = std::size_t{64} << 10;
constexpr std::size_t kChunkBytes = std::size_t{64} << 10;
constexpr std::size_t kEarlyBytes = std::size_t{16} << 20;
// Stop and deadline are checked after at most this many chunks, so that a flood of output cannot
// delay them.
constexpr int kChunksAtOnce = 16;
// A process that survives SIGKILL for this time hangs in a driver.
constexpr std::chrono::seconds kDyingTime{2};

enum class Chunk { Bytes, Empty, Ended };

Chunk readChunk(const file::UniqueFd &fd, std::vector<std::byte> &bytes) {
  if (!fd) return Chunk::Ended;
  bytes.resize(kChunkBytes);
  ssize_t got = 0;
  do
    got = ::read(fd.get(), bytes.data(), bytes.size());
  while (got < 0 && errno == EINTR);
  if (got < 0) return bytes.clear(), errno == EAGAIN ? Chunk::Empty : Chunk::Ended;
  bytes.resize(static_cast<std::size_t>(got));
  return got > 0 ? Chunk::Bytes : Chunk::Ended;
}

} // namespace

std::chrono::steady_clock::time_point deadlineAfter(std::chrono::milliseconds timeout) {
  constexpr std::chrono::milliseconds kLongest = std::chrono::years(10);
  return Clock::now() + std::min(timeout, kLongest);
}

Result<ChildProcess> ChildProcess::start(const ProcessOptions &options) {
  Result<Spawned> spawned = spawn(options, ThreadEnd::Ignored);
  if (!spawned) return spawned.error();
  return ChildProcess(std::move(*spawned));
}

ChildProcess::ChildProcess(Spawned spawned)
    : m_pid(spawned.pid), m_input(std::move(spawned.input)), m_output(std::move(spawned.output)),
      m_error(std::move(spawned.error)),
      m_alive(static_cast<int>(::syscall(SYS_pidfd_open, spawned.pid, 0u))) {
  // Without a pidfd (old kernel, strict sandbox), PollLoop polls every few milliseconds. The kernel
  // opens pidfds as close-on-exec.
}

ChildProcess::ChildProcess(ChildProcess &&other) noexcept { *this = std::move(other); }

ChildProcess &ChildProcess::operator=(ChildProcess &&other) noexcept {
  if (this == &other) return *this;
  release();
  m_pid = std::exchange(other.m_pid, -1);
  m_input = std::move(other.m_input);
  m_output = std::move(other.m_output);
  m_error = std::move(other.m_error);
  m_alive = std::move(other.m_alive);
  m_reaped = other.m_reaped;
  m_end = other.m_end;
  m_early = std::move(other.m_early);
  m_errorText = std::move(other.m_errorText);
  return *this;
}

ChildProcess::~ChildProcess() { release(); }

ChildProcess::Write ChildProcess::write(std::span<const std::byte> bytes, Deadline deadline,
                                        std::stop_token stop) {
  if (!m_input) return Write::Closed;
  const file::NoSigpipe quiet;
  const StopEvent stopped(stop);
  const PollLoop loop(deadline, stop, stopped, m_alive.get());
  while (!bytes.empty()) {
    const ssize_t put = ::write(m_input.get(), bytes.data(), bytes.size());
    if (put >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(put));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return closeInput(), Write::Closed;
    const bool room = m_early.size() < kEarlyBytes;
    const PollLoop::Woken woken =
        loop.wait(room ? m_output.get() : -1, m_error.get(), m_input.get());
    if (woken == PollLoop::Woken::Stop) return Write::Stopped;
    if (woken == PollLoop::Woken::Deadline) return Write::Deadline;
    if (ended()) return closeInput(), Write::Closed; // a grandchild may hold the other end
    if (room)
      readPending(Drain::Keep);
    else
      drainErrors();
  }
  return Write::Done;
}

void ChildProcess::closeInput() { m_input.reset(); }

std::optional<std::vector<std::byte>> ChildProcess::readOutput() {
  std::vector<std::byte> bytes;
  const Chunk chunk = readChunk(m_output, bytes);
  if (chunk == Chunk::Ended) m_output.reset();
  if (chunk != Chunk::Bytes) return std::nullopt;
  return bytes;
}

ChildProcess::Read ChildProcess::read(Deadline deadline, std::stop_token stop) {
  if (!m_early.empty()) return {Read::Event::Bytes, std::exchange(m_early, {})};
  const StopEvent stopped(stop);
  const PollLoop loop(deadline, stop, stopped, m_alive.get());
  while (m_output) {
    const PollLoop::Woken woken = loop.wait(m_output.get(), m_error.get(), -1);
    if (woken == PollLoop::Woken::Stop) return {Read::Event::Stopped, {}};
    if (woken == PollLoop::Woken::Deadline) return {Read::Event::Deadline, {}};
    // The end is tested before the last read, so that everything an ended child has written is in
    // the pipe.
    const bool wasEnded = ended();
    drainErrors();
    if (auto bytes = readOutput()) return {Read::Event::Bytes, std::move(*bytes)};
    if (wasEnded) break;
  }
  return {Read::Event::EndOfStream, {}};
}

void ChildProcess::drainErrors() {
  std::vector<std::byte> bytes;
  for (int i = 0; i < kChunksAtOnce && m_error; ++i) {
    const Chunk chunk = readChunk(m_error, bytes);
    if (chunk == Chunk::Ended) m_error.reset();
    if (chunk != Chunk::Bytes) break;
    m_errorText.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    if (m_errorText.size() > kErrorTextBytes)
      m_errorText.erase(0, m_errorText.size() - kErrorTextBytes);
  }
}

void ChildProcess::readPending(Drain output) {
  drainErrors();
  for (int i = 0; i < kChunksAtOnce && m_output; ++i) {
    if (output == Drain::Keep && m_early.size() >= kEarlyBytes) break;
    const auto bytes = readOutput();
    if (!bytes) break;
    if (output == Drain::Keep) m_early.insert(m_early.end(), bytes->begin(), bytes->end());
  }
}

void ChildProcess::renewCpuLimit(std::chrono::seconds cpu) {
  if (ended()) return;
  clockid_t clock = 0;
  timespec used{};
  rlimit limits{};
  if (::clock_getcpuclockid(m_pid, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return;
  if (::prlimit(m_pid, RLIMIT_CPU, nullptr, &limits) != 0) return;
  const rlim_t wanted = static_cast<rlim_t>(used.tv_sec + 1 + cpu.count());
  limits.rlim_cur = std::min(wanted, limits.rlim_max);
  ::prlimit(m_pid, RLIMIT_CPU, &limits, nullptr);
}

bool ChildProcess::ended() {
  if (m_end) return true;
  siginfo_t info{};
  int done = 0;
  do
    done = ::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT);
  while (done < 0 && errno == EINTR);
  if (done < 0) {
    m_end = ProcessEnd{false, -1}; // another thread or library has reaped it
    m_reaped = true;
  } else if (info.si_pid == m_pid) {
    m_end = ProcessEnd{info.si_code != CLD_EXITED, info.si_status};
  }
  return m_end.has_value();
}

std::optional<ProcessEnd> ChildProcess::wait(Deadline deadline, std::stop_token stop) {
  const StopEvent stopped(stop);
  const PollLoop loop(deadline, stop, stopped, m_alive.get());
  while (!ended()) {
    if (loop.wait(-1, m_error.get(), -1) != PollLoop::Woken::Stream) return std::nullopt;
    drainErrors();
  }
  drainErrors();
  return m_end;
}

void ChildProcess::kill() {
  if (m_pid <= 0 || m_reaped) return;
  ::kill(-m_pid, SIGKILL);
  ::kill(m_pid, SIGKILL); // in case the child moved to another group
}

ProcessEnd ChildProcess::terminate(std::chrono::milliseconds grace) {
  if (!ended() && grace.count() > 0) {
    ::kill(-m_pid, SIGTERM);
    ::kill(-m_pid, SIGCONT); // a stopped process would not receive SIGTERM
    const PollLoop loop(Clock::now() + grace, {}, StopEvent({}), m_alive.get());
    while (!ended() && loop.wait(m_output.get(), m_error.get(), -1) != PollLoop::Woken::Deadline)
      readPending(Drain::Discard);
  }
  kill();
  reap();
  return *m_end;
}

void ChildProcess::reap() {
  if (m_reaped || m_pid <= 0) return;
  if (!wait(Clock::now() + kDyingTime)) {
    m_end = ProcessEnd{true, SIGKILL};
    std::thread([pid = m_pid] { ::waitpid(pid, nullptr, 0); }).detach();
  } else {
    while (!m_reaped && ::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  m_reaped = true;
}

void ChildProcess::release() {
  if (m_pid <= 0) return;
  kill();
  m_input.reset();
  m_output.reset();
  reap();
  m_pid = -1;
}

} // namespace tessera::job
