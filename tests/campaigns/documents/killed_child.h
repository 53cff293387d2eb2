// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tessera::test {

// Runs `work` in a child process, which is killed after the time `after`. The work reports its
// progress through the function that it is given. Returns the last report.
inline std::uint64_t
killedAfter(std::chrono::microseconds after,
            const std::function<void(const std::function<void(std::uint64_t)> &)> &work) {
  int ends[2];
  if (::pipe(ends) != 0) return 0;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    work([&](std::uint64_t done) {
      if (::write(ends[1], &done, sizeof done) != sizeof done) ::_exit(1);
    });
    ::_exit(0);
  }
  ::close(ends[1]);
  std::uint64_t last = 0, done = 0;
  // The time starts at the first report. Otherwise most children would be killed before they begin.
  bool hasBegun = ::read(ends[0], &done, sizeof done) == sizeof done;
  if (hasBegun) last = done;
  std::thread killer([&] {
    std::this_thread::sleep_for(after);
    ::kill(child, SIGKILL);
  });
  while (hasBegun && ::read(ends[0], &done, sizeof done) == sizeof done)
    last = done;
  killer.join();
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return last;
}

} // namespace tessera::test
