// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/dock_painting.h"

#include <QDockWidget>
#include <QElapsedTimer>

namespace tessera::views {

DockPainting::DockPainting(QObject *parent) : QObject(parent) {
  m_turn.setSingleShot(true);
  m_turn.setInterval(0);
  connect(&m_turn, &QTimer::timeout, this, &DockPainting::paintSome);
}

void DockPainting::hold(const QList<QDockWidget *> &docks) {
  for (QDockWidget *dock : docks)
    if (!m_waiting.contains(dock) && !dock->visibleRegion().isEmpty()) {
      dock->setUpdatesEnabled(false);
      m_waiting << dock;
    }
  if (isHolding()) m_turn.start();
}

void DockPainting::paintSome() {
  QElapsedTimer clock;
  clock.start();
  while (isHolding() && !clock.hasExpired(kTurn.count())) {
    QDockWidget *dock = m_waiting.takeFirst();
    dock->setUpdatesEnabled(true);
    dock->repaint();
  }
  if (isHolding()) m_turn.start();
}

} // namespace tessera::views
