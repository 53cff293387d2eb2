// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

class QGraphicsView;
class QPainter;

namespace tessera::views {

// A zoom paints everything at another size in each step, and nobody reads meanwhile: from the
// second of quick steps on, nothing is smoothed and small words are left out, until the view rests.
class ZoomDraft : public QObject {
  Q_OBJECT
public:
  static constexpr int kRestMilliseconds = 140;
  static constexpr std::size_t kManyNodes = 250; // fewer are painted in no time

  explicit ZoomDraft(QGraphicsView &view);

  void zoomed(std::size_t nodes); // once more
  bool isActive() const { return m_isActive; }

private:
  void set(bool active);

  QGraphicsView &m_view;
  QTimer m_rest;
  bool m_isActive = false;
};

// What an item asks. A painter that no view gave is of a file, and never in a hurry.
bool isDraft(const QPainter &painter);

} // namespace tessera::views
