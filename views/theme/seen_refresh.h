// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

#include <functional>

class QDockWidget;
class QWidget;

namespace tessera::views {

// Keeps a panel up to date while it is seen. While it is hidden, or its dock is behind another tab,
// it becomes stale and costs nothing; it is refreshed when it comes to the front.
class SeenRefresh : public QObject {
  Q_OBJECT
public:
  SeenRefresh(QWidget &panel, std::function<void()> refresh);

  void request(); // what the panel shows has changed
  void now();     // refreshes the panel even if it is not seen
  bool isStale() const { return m_isStale; }

private:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void followDock();
  bool isSeen() const;
  void catchUp();

  QWidget &m_panel;
  std::function<void()> m_refresh;
  QPointer<QDockWidget> m_dock; // the dock that contains the panel; null: none
  bool m_isBehind = false;      // another tab is in front of the dock
  bool m_isStale = true;
};

} // namespace tessera::views
