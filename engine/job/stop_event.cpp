// SPDX-License-Identifier: MIT
#include "engine/job/stop_event.h"

#include <cstdint>
#include <sys/eventfd.h>

namespace tessera::job {

StopEvent::StopEvent(const std::stop_token &stop) {
  if (!stop.stop_possible()) return;
  m_event.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  m_blind = !m_event;
  if (m_event) m_callback.emplace(stop, Signal{m_event.get()});
}

void StopEvent::Signal::operator()() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(fd, &one, sizeof one);
}

} // namespace tessera::job
