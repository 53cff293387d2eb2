// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/turn_clock.h"

#include <QAbstractEventDispatcher>

#include <ctime>
#include <utility>

namespace tessera::views {

// awake() comes once a turn: before it, or behind it where the dispatcher waits for events. Then
// aboutToBlock() follows at once, which is the same turn's begin and no turn of its own.
TurnClock::TurnClock(QObject *parent) : QObject(parent), m_began(computed()), m_before(m_began) {
  const QAbstractEventDispatcher *const dispatcher = QAbstractEventDispatcher::instance();
  if (!dispatcher) return;
  connect(dispatcher, &QAbstractEventDispatcher::awake, this,
          [this] { m_before = std::exchange(m_began, computed()); });
  connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this,
          [this] { m_began = computed(); });
}

std::chrono::nanoseconds TurnClock::computed() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace tessera::views
