// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/moves.h"
#include "views/models/schedule_flow.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace tessera::views {

// Where one stage of the schedule that is shown could be computed instead, with what our model says
// of it; found on a thread. Menus and dragging show the same. Another schedule forgets it.
class MoveFinder : public QObject {
  Q_OBJECT
public:
  MoveFinder(ScheduleFlow &schedule, Bridge &bridge, QObject *parent = nullptr);

  // False: nothing can be decided just now, and whyNot() says why.
  bool look(const QString &stage); // by its name in the schedule's own pipeline
  void forget();
  QString whyNot() const;

  bool isLooking() const { return m_isLooking; }
  const std::vector<session::Move> &moves() const { return m_moves; }
  const session::Move *into(int kernel) const; // null: not known yet, or its own
  const session::Move *to(session::Move::Kind kind) const;

  QString effect(const session::Move &move) const;       // "−12 %"; empty where it is not legal
  QString timeAfter(const session::Move &move) const;    // "0.0431 ms"
  static QString nameFor(const session::Move &move);     // of the step in the history
  static QString description(const session::Move &move); // "Fuse blur_x into kernel 3 (out)"

signals:
  void changed();   // there are more of them, or all, or none
  void forgotten(); // they were of another schedule

private:
  void becomeStale();

  ScheduleFlow &m_schedule;
  Bridge &m_bridge;
  std::vector<session::Move> m_moves;
  double m_current = 0; // seconds
  bool m_isLooking = false;
};

} // namespace tessera::views
