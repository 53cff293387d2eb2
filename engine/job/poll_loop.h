// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/stop_event.h"

#include <chrono>
#include <stop_token>

namespace tessera::job {

// Waits for the first of: a child's three streams, its end, a stop request, a deadline on the
// monotonic clock. A stop takes precedence over the deadline, and both take precedence over
// received bytes, so that a flood of output cannot delay them.
class PollLoop {
public:
  using Deadline = std::chrono::steady_clock::time_point;
  enum class Woken { Stream, Stop, Deadline };

  PollLoop(Deadline deadline, const std::stop_token &stop, const StopEvent &stopEvent, int alive)
      : m_deadline(deadline), m_stop(stop), m_stopFd(stopEvent.fd()), m_alive(alive),
        m_blind(stopEvent.blind() || alive < 0) {}

  // Negative descriptors are ignored. Returns `Stream` also when the child has ended, and sometimes
  // without a cause, so the caller must check.
  Woken wait(int output, int error, int input) const;

private:
  Deadline m_deadline;
  std::stop_token m_stop;
  int m_stopFd;
  int m_alive;
  bool m_blind; // true: one of the events has no descriptor, so that polling is necessary
};

} // namespace tessera::job
