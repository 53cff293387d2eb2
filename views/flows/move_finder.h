// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/schedule_flow.h"
#include "engine/document/moves.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace tessera::views {

// Finds on a thread where one stage of the shown schedule could be computed instead, and predicts
// each move. Menus and dragging use the same results. When another schedule is shown, they are
// forgotten.
class MoveFinder : public QObject {
  Q_OBJECT
public:
  MoveFinder(ScheduleFlow &schedule, Bridge &bridge, QObject *parent = nullptr);

  // Starts to look for the moves of a stage. False: nothing can be decided now; whyNot() says why.
  bool look(const QString &stage); // the stage's name in the schedule's own pipeline
  void forget();
  QString whyNot() const;

  bool isLooking() const { return m_isLooking; }
  const std::vector<document::Move> &moves() const { return m_moves; }
  const document::Move *into(int kernel) const; // null: not known yet, or the stage's own kernel
  const document::Move *to(document::Move::Kind kind) const;

  QString effect(const document::Move &move) const;    // "−12 %"; empty if the move is not legal
  QString timeAfter(const document::Move &move) const; // "0.0431 ms"
  static QString nameFor(const document::Move &move);  // name of the step in the history
  static QString description(const document::Move &move); // "Fuse blur_x into kernel 3 (out)"

signals:
  void changed();   // moves were added, the search for them has ended, or they were forgotten
  void forgotten(); // another schedule is shown, so the moves were forgotten

private:
  void becomeStale();

  ScheduleFlow &m_schedule;
  Bridge &m_bridge;
  std::vector<document::Move> m_moves;
  double m_current = 0; // predicted seconds of the shown schedule
  bool m_isLooking = false;
};

} // namespace tessera::views
