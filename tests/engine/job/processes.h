// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/process_options.h"
#include "engine/file/unique_fd.h"
#include "tests/support/build_paths.h"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <poll.h>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <vector>

namespace tessera::test {

// Watches a process, which need not be a child of this one.
class ProcessWatch {
public:
  explicit ProcessWatch(pid_t pid) : m_fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0u))) {}

  bool endsWithin(std::chrono::milliseconds time) const {
    if (!m_fd) return true; // the process had ended before
    pollfd fd{m_fd.get(), POLLIN, 0};
    return ::poll(&fd, 1, static_cast<int>(time.count())) == 1;
  }

private:
  file::UniqueFd m_fd;
};

inline job::ProcessOptions program(std::string path, std::vector<std::string> arguments = {}) {
  job::ProcessOptions options;
  options.program = std::move(path);
  options.arguments = std::move(arguments);
  return options;
}

// A worker that does what its requests say, also what no worker should (misbehaving_worker.cpp).
inline job::ProcessOptions misbehavingWorker(std::vector<std::string> arguments = {}) {
  return program(testPath("misbehaving_worker"), std::move(arguments));
}

inline job::ProcessOptions shell(std::string script) {
  return program("/bin/sh", {"-c", std::move(script)});
}

inline int openDescriptors() {
  int count = 0;
  for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator("/proc/self/fd"))
    ++count;
  return count;
}

// Whether no child of this process is left, neither running nor waiting to be reaped.
inline bool haveNoChildren() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

inline auto in(std::chrono::milliseconds time) { return std::chrono::steady_clock::now() + time; }

} // namespace tessera::test
