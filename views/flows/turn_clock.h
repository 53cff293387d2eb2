// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <chrono>

namespace tessera::views {

// How long the thread has computed in this turn of its event loop. Whoever has more to do than fits
// into a turn leaves the rest to the next one, so that input is handled in between. Waiting for
// events is not counted, and neither is the time in which other programs have the processor.
class TurnClock : public QObject {
  Q_OBJECT
public:
  // What a turn should take at most, if it can be had in parts.
  static constexpr std::chrono::milliseconds kTurn{8};

  explicit TurnClock(QObject *parent); // in a thread that has an event loop

  bool isOver() const { return computed() - m_began >= kTurn; }
  // The same of the turn before and this one together. What can wait does, once: input that was
  // handled in the turn before may have left as much to be laid out and painted in this one.
  bool isOverWithTheLast() const { return computed() - m_before >= kTurn; }

private:
  static std::chrono::nanoseconds computed(); // by this thread, ever

  std::chrono::nanoseconds m_began, m_before;
};

} // namespace tessera::views
