// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRegion>
#include <QTimer>

class QWidget;

namespace tessera::views {

// Repaints a whole viewport in bands, one band in each iteration of the event loop. User input is
// handled between two bands, and no single frame pays for the whole repaint. Whoever paints the
// viewport calls painted() and scrolled().
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
  QRegion m_stale; // the part that was not painted since start()
  QTimer m_turn;
  // The next band to repaint. start() does not reset it, so a restart does not begin at the top.
  int m_band = 0;
  bool m_isAsked = false; // a band was requested and is not painted yet
};

} // namespace tessera::views
