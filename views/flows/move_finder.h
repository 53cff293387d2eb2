// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/document/moves.h"
#include "views/flows/schedule_flow.h"

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
  const std::vector<document::Move> &moves() const { return m_moves; }
  const document::Move *into(int kernel) const; // null: not known yet, or its own
  const document::Move *to(document::Move::Kind kind) const;

  QString effect(const document::Move &move) const;       // "−12 %"; empty where it is not legal
  QString timeAfter(const document::Move &move) const;    // "0.0431 ms"
  static QString nameFor(const document::Move &move);     // of the step in the history
  static QString description(const document::Move &move); // "Fuse blur_x into kernel 3 (out)"

signals:
  void changed();   // there are more of them, or all, or none
  void forgotten(); // they were of another schedule

private:
  void becomeStale();

  ScheduleFlow &m_schedule;
  Bridge &m_bridge;
  std::vector<document::Move> m_moves;
  double m_current = 0; // seconds
  bool m_isLooking = false;
};

} // namespace tessera::views
