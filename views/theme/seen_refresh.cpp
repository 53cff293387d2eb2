// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/seen_refresh.h"

#include <QDockWidget>
#include <QEvent>

#include <utility>

namespace tessera::views {

namespace {

QDockWidget *dockOf(const QWidget &panel) {
  for (QWidget *outer = panel.parentWidget(); outer; outer = outer->parentWidget())
    if (auto *dock = qobject_cast<QDockWidget *>(outer)) return dock;
  return nullptr;
}

// A dock behind another tab counts as visible, but Qt moves it out of the window. The visible
// region of a panel does not tell: it is empty, too, while a panel is shown and its layout not yet
// done.
bool isBehindATab(const QDockWidget &dock) {
  return dock.isVisible() && !dock.isWindow() &&
         !dock.parentWidget()->rect().intersects(dock.geometry());
}

} // namespace

SeenRefresh::SeenRefresh(QWidget &panel, std::function<void()> refresh)
    : m_panel(panel), m_refresh(std::move(refresh)) {
  m_panel.installEventFilter(this);
}

void SeenRefresh::request() {
  m_isStale = true;
  if (!m_dock) followDock(); // an outer widget of the panel may have got a dock
  catchUp();
}

void SeenRefresh::now() {
  m_isStale = false;
  m_refresh();
}

bool SeenRefresh::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::ParentChange) followDock();
  if (event->type() == QEvent::Show) catchUp();
  return QObject::eventFilter(watched, event);
}

// For Qt, a dock behind another tab is visible, too. Only the dock's signal visibilityChanged()
// says whether its tab is in front.
void SeenRefresh::followDock() {
  if (m_dock) m_dock->disconnect(this);
  m_dock = dockOf(m_panel);
  m_isBehind = m_dock && isBehindATab(*m_dock);
  if (!m_dock) return;
  connect(m_dock, &QDockWidget::visibilityChanged, this, [this](bool isInFront) {
    m_isBehind = !isInFront;
    catchUp();
  });
  // A dock that is pulled out of its tabs, or put back, is in front. For this Qt emits only
  // topLevelChanged().
  connect(m_dock, &QDockWidget::topLevelChanged, this, [this] {
    m_isBehind = false;
    catchUp();
  });
}

bool SeenRefresh::isSeen() const { return m_panel.isVisible() && !m_isBehind; }

void SeenRefresh::catchUp() {
  if (m_isStale && isSeen()) now();
}

} // namespace tessera::views
