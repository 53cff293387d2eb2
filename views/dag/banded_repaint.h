// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRegion>
#include <QTimer>

class QWidget;

namespace tessera::views {

// Repaints all of a viewport band by band, a turn of the event loop each: what the user does comes
// in between, and no frame costs all of it. Whoever paints the viewport says what was painted and
// how its pixels were moved.
class BandedRepaint : public QObject {
  Q_OBJECT
public:
  static constexpr int kBands = 4;

  explicit BandedRepaint(QWidget &viewport);

  void start(); // once more, where one is under way
  void painted(const QRegion &region);
  void scrolled(int dx, int dy);
  bool isRunning() const { return !m_stale.isEmpty(); }

private:
  void next();

  QWidget &m_viewport;
  QRegion m_stale; // not painted since start()
  QTimer m_turn;
  int m_band = 0;         // that comes next: who starts over does not begin at the top again
  bool m_isAsked = false; // a band was asked for and is not painted yet
};

} // namespace tessera::views
