// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

namespace tessera::job {

// Blocks all signals of this thread while the object lives. What the thread starts meanwhile begins
// with blocked signals: a thread that must run no signal handler of the program, or a child process
// until it has its own handlers.
class AllSignalsBlocked {
public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &m_before);
  }
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked &) = delete;
  AllSignalsBlocked &operator=(const AllSignalsBlocked &) = delete;

private:
  sigset_t m_before;
};

} // namespace tessera::job
