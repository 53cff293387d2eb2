// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/footprint/edge_handle.h"

#include "views/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <utility>

namespace tessera::views {

EdgeHandle::EdgeHandle(Qt::Orientation along, QWidget *parent) : QWidget(parent), m_along(along) {
  setFocusPolicy(Qt::StrongFocus);
  setFixed({});
  resize(sizeHint());
}

QSize EdgeHandle::sizeHint() const {
  return m_along == Qt::Horizontal ? QSize(kThickness, kLength) : QSize(kLength, kThickness);
}

void EdgeHandle::putAt(QPointF middle) {
  move((middle - QPointF(width() / 2., height() / 2.)).toPoint());
}

void EdgeHandle::setFixed(const QString &why) {
  m_isFixed = !why.isEmpty();
  setToolTip(m_isFixed ? why
                       : tr("Drag to change the tile size, or use the arrow keys. Press Return to "
                            "accept the size, Escape to cancel"));
  setAccessibleDescription(toolTip());
  if (m_isFixed)
    unsetCursor();
  else
    setCursor(m_along == Qt::Horizontal ? Qt::SizeHorCursor : Qt::SizeVerCursor);
  update();
}

void EdgeHandle::setRefused(bool refused) {
  m_isRefused = refused;
  update();
}

void EdgeHandle::paintEvent(QPaintEvent *) {
  const Colors colors(palette());
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor color = m_isRefused                 ? colors.error
                       : m_isFixed                 ? colors.line
                       : hasFocus() || m_isDragged ? colors.accent
                                                   : colors.text;
  const QRectF knob = QRectF(rect()).adjusted(2, 2, -2, -2);
  painter.setPen(QPen(color, 1.4));
  painter.setBrush(m_isFixed ? palette().color(QPalette::Base)
                             : mix(palette().color(QPalette::Base), color, 0.3));
  painter.drawRoundedRect(knob, 3, 3);
  if (m_isFixed) return;
  const QPointF middle = knob.center();
  const bool isAcross = m_along == Qt::Horizontal;
  for (const double at : {-4., 0., 4.}) // three lines show that it can be dragged
    painter.drawLine(middle + (isAcross ? QPointF(-2, at) : QPointF(at, -2)),
                     middle + (isAcross ? QPointF(2, at) : QPointF(at, 2)));
}

void EdgeHandle::mousePressEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  if (m_isFixed) {
    emit fixedTouched();
    return;
  }
  m_isDragged = true;
  emit taken();
}

void EdgeHandle::mouseMoveEvent(QMouseEvent *event) {
  if (m_isDragged) emit movedTo(mapToParent(event->position()));
}

void EdgeHandle::mouseReleaseEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton || !std::exchange(m_isDragged, false)) return;
  emit released();
}

void EdgeHandle::keyPressEvent(QKeyEvent *event) {
  const bool isAcross = m_along == Qt::Horizontal;
  const int key = event->key();
  if (key == Qt::Key_Escape) {
    m_isDragged = false;
    emit givenUp();
  } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    emit kept();
  } else if (key == (isAcross ? Qt::Key_Right : Qt::Key_Down)) {
    m_isFixed ? emit fixedTouched() : emit stepped(1);
  } else if (key == (isAcross ? Qt::Key_Left : Qt::Key_Up)) {
    m_isFixed ? emit fixedTouched() : emit stepped(-1);
  } else {
    QWidget::keyPressEvent(event);
  }
}

void EdgeHandle::focusInEvent(QFocusEvent *event) {
  QWidget::focusInEvent(event);
  update();
}

void EdgeHandle::focusOutEvent(QFocusEvent *event) {
  QWidget::focusOutEvent(event);
  if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
    emit givenUp();
  update();
}

} // namespace tessera::views
