// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/flat_tool_bar.h"

#include <QEvent>
#include <QLayout>
#include <QPaintEvent>
#include <QPainter>

namespace tessera::views {

FlatToolBar::FlatToolBar(const QString &title, Edge edge, const QMargins &margins, QWidget *parent)
    : QToolBar(title, parent), m_edge(edge), m_margins(margins) {
  setAccessibleName(title);
  arrange();
}

void FlatToolBar::arrange() {
  layout()->setContentsMargins(m_margins);
  layout()->setSpacing(m_margins.top());
}

// When the style changes, QToolBar takes over its margins, so arrange() sets m_margins again.
void FlatToolBar::changeEvent(QEvent *event) {
  QToolBar::changeEvent(event);
  if (event->type() == QEvent::StyleChange) arrange();
}

void FlatToolBar::paintEvent(QPaintEvent *event) {
  if (m_edge == Edge::None) return;
  QPainter painter(this);
  painter.fillRect(event->rect(), palette().window());
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

} // namespace tessera::views
