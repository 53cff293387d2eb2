// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/banded_repaint.h"

#include <QWidget>

namespace tessera::views {

BandedRepaint::BandedRepaint(QWidget &viewport) : m_viewport(viewport) {
  m_turn.setSingleShot(true);
  m_turn.setInterval(0);
  connect(&m_turn, &QTimer::timeout, this, &BandedRepaint::next);
}

void BandedRepaint::start() {
  m_stale = m_viewport.rect();
  if (!m_isAsked && !m_turn.isActive()) next();
}

void BandedRepaint::next() {
  const int height = (m_viewport.height() + kBands - 1) / kBands;
  for (int i = 0; i < kBands; ++i) {
    const int band = (m_band + i) % kBands;
    const QRect rect(0, band * height, m_viewport.width(), height);
    if (!m_stale.intersects(rect)) continue;
    m_band = (band + 1) % kBands;
    m_isAsked = true;
    return m_viewport.update(rect);
  }
}

void BandedRepaint::painted(const QRegion &region) {
  m_isAsked = false;
  if (m_stale.isEmpty()) return;
  m_stale -= region;
  if (!m_stale.isEmpty()) m_turn.start();
}

void BandedRepaint::scrolled(int dx, int dy) {
  if (!m_stale.isEmpty()) m_stale = m_stale.translated(dx, dy) & m_viewport.rect();
}

} // namespace tessera::views
