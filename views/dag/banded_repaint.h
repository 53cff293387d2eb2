// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRegion>
#include <QTimer>

class QWidget;

namespace tessera::views {

// Repaints a whole viewport in bands, one band in each iteration of the event loop. User input is
// handled between two bands, and no single frame pays for the whole repaint. The view calls
// painted() after each paint event and scrolled() after each scroll.
class BandedRepaint : public QObject {
  Q_OBJECT
public:
  static constexpr int kBands = 4;

  explicit BandedRepaint(QWidget &viewport);

  void start(); // starts again if a repaint is under way
  void painted(const QRegion &region);
  void scrolled(int dx, int dy);
  bool isRunning() const { return !m_stale.isEmpty(); }

private:
  void next();

  QWidget &m_viewport;
  QRegion m_stale; // the part of the viewport that was not painted since start()
  QTimer m_turn;
  // The band to repaint next. start() does not reset it: otherwise frequent restarts would repaint
  // only the top of the viewport.
  int m_band = 0;
  bool m_isAsked = false; // a band was requested and is not painted yet
};

} // namespace tessera::views
