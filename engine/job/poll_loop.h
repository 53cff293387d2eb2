// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/stop_event.h"

#include <chrono>
#include <stop_token>

namespace tessera::job {

// Waits for whichever comes first of a child's three streams, its end, a stop request and a
// deadline on the monotonic clock. Stop comes before deadline, and both before bytes, so that no
// flood can hide them.
class PollLoop {
public:
  using Deadline = std::chrono::steady_clock::time_point;
  enum class Woken { Stream, Stop, Deadline };

  PollLoop(Deadline deadline, const std::stop_token &stop, const StopEvent &stopEvent, int alive)
      : m_deadline(deadline), m_stop(stop), m_stopFd(stopEvent.fd()), m_alive(alive),
        m_blind(stopEvent.blind() || alive < 0) {}

  // Descriptors below zero are left out. `Stream` also when the child has ended, and now and then
  // without a cause: ask again.
  Woken wait(int output, int error, int input) const;

private:
  Deadline m_deadline;
  std::stop_token m_stop;
  int m_stopFd;
  int m_alive;
  bool m_blind; // something that we wait for has no descriptor: look often
};

} // namespace tessera::job
