// SPDX-License-Identifier: MIT
#include "engine/job/poll_loop.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <poll.h>

namespace tessera::job {

PollLoop::Woken PollLoop::wait(int output, int error, int input) const {
  using std::chrono::nanoseconds;
  const auto now = std::chrono::steady_clock::now();
  if (m_stop.stop_requested()) return Woken::Stop;
  if (now >= m_deadline) return Woken::Deadline;

  constexpr nanoseconds kBlind = std::chrono::milliseconds(5);
  constexpr nanoseconds kLong = std::chrono::hours(1);
  const nanoseconds left = std::min<nanoseconds>(m_deadline - now, m_blind ? kBlind : kLong);
  const timespec timeout{static_cast<time_t>(left.count() / 1'000'000'000),
                         static_cast<long>(left.count() % 1'000'000'000)};
  std::array<pollfd, 5> fds{pollfd{output, POLLIN, 0}, pollfd{error, POLLIN, 0},
                            pollfd{input, POLLOUT, 0}, pollfd{m_alive, POLLIN, 0},
                            pollfd{m_stopFd, POLLIN, 0}};
  ::ppoll(fds.data(), fds.size(), &timeout, nullptr);
  return m_stop.stop_requested() ? Woken::Stop : Woken::Stream;
}

} // namespace tessera::job
