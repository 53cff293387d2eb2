// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/crash_ladder.h"

#include <algorithm>
#include <utility>

namespace tessera::views {

CrashLadder::CrashLadder(std::function<Time()> now, QObject *parent)
    : QObject(parent), m_now(std::move(now)) {}

void CrashLadder::crashed(Worker worker) {
  emit died(worker);
  std::deque<Time> &crashes = m_crashes[worker];
  const Time now = m_now();
  crashes.push_back(now);
  while (now - crashes.front() > kWithin)
    crashes.pop_front();
  if (crashes.size() < std::size_t(kCrashes)) return;
  const Rung below = worker == Worker::Counter ? Rung::Measures
                     : worker == Worker::Gpu   ? Rung::Compiles
                                               : Rung::Predicts;
  if (std::exchange(m_rung, std::max(m_rung, below)) != m_rung) emit changed();
}

void CrashLadder::climb() {
  m_crashes.clear();
  if (std::exchange(m_rung, Rung::Counts) != Rung::Counts) emit changed();
}

} // namespace tessera::views
