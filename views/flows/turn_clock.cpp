// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/turn_clock.h"

#include <QAbstractEventDispatcher>

#include <ctime>
#include <utility>

namespace tessera::views {

// Which of the two signals comes before a turn depends on the dispatcher, and on whether it waits.
TurnClock::TurnClock(QObject *parent) : QObject(parent), m_began(computed()), m_before(m_began) {
  const QAbstractEventDispatcher *const dispatcher = QAbstractEventDispatcher::instance();
  if (!dispatcher) return;
  const auto begin = [this] { m_before = std::exchange(m_began, computed()); };
  connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, begin);
  connect(dispatcher, &QAbstractEventDispatcher::awake, this, begin);
}

std::chrono::nanoseconds TurnClock::computed() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace tessera::views
