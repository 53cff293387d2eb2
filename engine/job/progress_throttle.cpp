// SPDX-License-Identifier: MIT
#include "engine/job/progress_throttle.h"

#include <utility>

namespace tessera::job {

ProgressThrottle::ProgressThrottle(ProgressCallback listener) : m_listener(std::move(listener)) {}

bool ProgressThrottle::report(const Progress &progress, Time now) {
  const std::lock_guard lock(m_mutex);
  if (m_last && now < *m_last + kSpacing) {
    const bool first = !m_held;
    m_held = progress;
    return first;
  }
  m_held.reset();
  deliver(progress, now);
  return false;
}

void ProgressThrottle::deliverDue(Time now) {
  const std::lock_guard lock(m_mutex);
  if (!m_held || now < *m_last + kSpacing) return;
  deliver(*std::exchange(m_held, std::nullopt), now);
}

std::optional<ProgressThrottle::Time> ProgressThrottle::due() const {
  const std::lock_guard lock(m_mutex);
  if (!m_held) return std::nullopt;
  return *m_last + kSpacing;
}

void ProgressThrottle::finish() {
  const std::lock_guard lock(m_mutex);
  if (m_held) deliver(*std::exchange(m_held, std::nullopt), *m_last);
  m_silent = true;
}

void ProgressThrottle::silence() { m_silent = true; }

void ProgressThrottle::deliver(const Progress &progress, Time now) {
  m_last = now;
  if (m_listener && !m_silent) m_listener(progress);
}

} // namespace tessera::job
