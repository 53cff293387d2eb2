// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>

namespace tessera::file {

// While the object lives, a write to a pipe without a reader is an error in this thread (EPIPE)
// and no signal. Blocks SIGPIPE for the thread, and removes a SIGPIPE that a write has raised.
class NoSigpipe {
public:
  NoSigpipe() {
    sigemptyset(&m_pipe);
    sigaddset(&m_pipe, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    m_wasPending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
  }
  ~NoSigpipe() {
    const timespec now{0, 0};
    if (!m_wasPending)
      while (sigtimedwait(&m_pipe, nullptr, &now) < 0 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
  }
  NoSigpipe(const NoSigpipe &) = delete;
  NoSigpipe &operator=(const NoSigpipe &) = delete;

private:
  sigset_t m_pipe;
  sigset_t m_before;
  bool m_wasPending = false;
};

} // namespace tessera::file
