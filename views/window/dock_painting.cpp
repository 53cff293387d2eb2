// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/dock_painting.h"

#include <QDockWidget>

#include <utility>

namespace tessera::views {

DockPainting::DockPainting(QObject *parent) : QObject(parent), m_clock(this) {
  m_turn.setSingleShot(true);
  m_turn.setInterval(0);
  connect(&m_turn, &QTimer::timeout, this, &DockPainting::paintSome);
}

void DockPainting::hold(const QList<QDockWidget *> &docks) {
  if (!isHolding()) m_mayWait = true;
  for (QDockWidget *dock : docks)
    if (!m_waiting.contains(dock) && !dock->visibleRegion().isEmpty()) {
      dock->setUpdatesEnabled(false);
      m_waiting << dock;
    }
  if (isHolding()) m_turn.start();
}

void DockPainting::paintSome() {
  const bool waits = std::exchange(m_mayWait, false) && m_clock.isOverWithTheLast();
  while (!waits && isHolding()) {
    QDockWidget *dock = m_waiting.takeFirst();
    dock->setUpdatesEnabled(true);
    dock->repaint();
    if (m_clock.isOver()) break;
  }
  if (isHolding()) m_turn.start();
}

} // namespace tessera::views
