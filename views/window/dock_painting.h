// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QTimer>

#include <chrono>

class QDockWidget;

namespace tessera::views {

// Paints docks one after another when everything that they show has changed at once. In one turn of
// the event loop it paints as many as fit into kTurn, so that input is handled before the others
// are painted. With the docks as at first, one turn is enough.
class DockPainting : public QObject {
  Q_OBJECT
public:
  static constexpr std::chrono::milliseconds kTurn{8};

  explicit DockPainting(QObject *parent);

  // The visible ones of `docks` are painted in the next turns, and not before.
  void hold(const QList<QDockWidget *> &docks);
  bool isHolding() const { return !m_waiting.isEmpty(); }

private:
  void paintSome();

  QList<QDockWidget *> m_waiting; // first come, first painted; they are not deleted before this
  QTimer m_turn;
};

} // namespace tessera::views
