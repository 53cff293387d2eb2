// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/turn_clock.h"

#include <QList>
#include <QObject>
#include <QTimer>

class QDockWidget;

namespace tessera::views {

// Paints docks one after another when everything that they show has changed at once. In one turn of
// the event loop it paints as many as fit into it, so that input is handled before the others are
// painted. With the docks as at first, one turn is enough. A turn that was long already, as what
// the docks show was computed in it, is followed by another one before the first dock is painted.
class DockPainting : public QObject {
  Q_OBJECT
public:
  explicit DockPainting(QObject *parent);

  // The visible ones of `docks` are painted in the next turns, and not before.
  void hold(const QList<QDockWidget *> &docks);
  bool isHolding() const { return !m_waiting.isEmpty(); }

private:
  void paintSome();

  QList<QDockWidget *> m_waiting; // first come, first painted; they are not deleted before this
  bool m_mayWait = false;         // until the next turn, as the first dock was not painted yet
  TurnClock m_clock;
  QTimer m_turn;
};

} // namespace tessera::views
