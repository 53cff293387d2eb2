// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/block/size_handle.h"

#include "views/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace tessera::views {

using block::HandleKind;
using block::HandleStop;

SizeHandle::SizeHandle(QWidget *parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
}

QString SizeHandle::titleOf(const block::BlockHandle &handle) {
  const QString dim = QString::fromStdString(handle.dim);
  switch (handle.kind) {
  case HandleKind::Threads:
    return tr("Threads along %1").arg(dim);
  case HandleKind::Points:
    return tr("Points per thread along %1").arg(dim);
  case HandleKind::Vector:
    break;
  }
  return tr("Vector width along %1").arg(dim);
}

void SizeHandle::setHandle(const block::BlockHandle &handle, StopsPtr stops) {
  m_isDragging = false;
  m_asked = nullptr;
  m_wanted.reset();
  m_handle = handle;
  m_stops = std::move(stops);
  m_reason = QString::fromStdString(handle.refusal);
  setCursor(!handle.refusal.empty() ? Qt::ForbiddenCursor
            : isAcross()            ? Qt::SizeHorCursor
                                    : Qt::SizeVerCursor);
  setObjectName(
      QStringLiteral("handle.%1.%2")
          .arg(QString::fromUtf8(name(handle.kind).data(), qsizetype(name(handle.kind).size())),
               QString::fromStdString(handle.dim)));
  setAccessibleName(titleOf(handle));
  resize(sizeHint());
  describe();
}

// If the user is already pulling, the size under the pointer is tried at once.
void SizeHandle::setStops(StopsPtr stops) {
  m_asked = nullptr;
  m_stops = std::move(stops);
  if (m_isDragging && m_wanted) askFor(*m_wanted);
  describe();
}

void SizeHandle::place(QPointF middle, double pixelsPerUnit) {
  m_scale = std::max(0.5, pixelsPerUnit);
  move((middle - QPointF(width(), height()) / 2).toPoint());
  raise();
}

// "x 16", or "vector 4": two handles at one edge would look the same without their words.
QString SizeHandle::labelOf(std::int64_t value) const {
  if (m_handle.kind == HandleKind::Vector) return tr("vector %1").arg(value);
  return tr("%1 %2").arg(QString::fromStdString(m_handle.dim)).arg(value);
}

QSize SizeHandle::sizeHint() const {
  const QFontMetrics metrics(font());
  const QString widest = labelOf(m_handle.value >= 1000 ? 8888 : 888);
  return {metrics.horizontalAdvance(widest) + 10, metrics.height() + 4};
}

void SizeHandle::describe() {
  const QString size = QString::number(m_asked ? m_asked->value : m_handle.value);
  QString more = m_reason;
  if (more.isEmpty())
    more = m_stops ? tr("Drag the number, or press the arrow keys and then Return.")
                   : tr("Finding out which sizes are legal …");
  setAccessibleDescription(tr("%1. %2").arg(size, more));
  setToolTip(tr("%1: %2\n%3").arg(titleOf(m_handle), size, more));
  update();
}

// Why the size nearest to `value` is not legal; empty: it is.
QString SizeHandle::reasonAt(double value) const {
  const HandleStop *nearest = nullptr;
  const auto away = [value](const HandleStop &stop) {
    return std::abs(std::log(std::max(value, 0.5)) - std::log(double(stop.value)));
  };
  for (const HandleStop &stop : *m_stops)
    if (!nearest || away(stop) < away(*nearest)) nearest = &stop;
  if (!nearest || nearest->isLegal()) return {};
  return tr("%1 is not legal: %2")
      .arg(QString::number(nearest->value), QString::fromStdString(nearest->refusal));
}

void SizeHandle::askFor(double value) {
  m_wanted = value;
  if (!m_stops || !m_handle.refusal.empty()) return;
  m_reason = reasonAt(value);
  askFor(block::nearestLegal(*m_stops, value));
  if (!m_reason.isEmpty())
    QToolTip::showText(mapToGlobal(QPoint(width(), height())), m_reason, this);
  else
    QToolTip::hideText();
}

void SizeHandle::askFor(const HandleStop *stop) {
  const bool isOther = m_asked != stop;
  m_asked = stop;
  describe();
  if (isOther) emit pulled(stop);
}

void SizeHandle::take() {
  const HandleStop *stop = m_asked;
  m_isDragging = false;
  m_wanted.reset();
  if (!stop || stop->value == m_handle.value) return cancel();
  const StopsPtr kept = m_stops; // keeps `stop` alive: a receiver may replace m_stops
  emit taken(*stop);
  m_asked = nullptr;
  describe();
}

void SizeHandle::cancel() {
  m_isDragging = false;
  m_wanted.reset();
  m_reason = QString::fromStdString(m_handle.refusal);
  QToolTip::hideText();
  askFor(static_cast<const HandleStop *>(nullptr));
}

void SizeHandle::mousePressEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  if (!m_handle.refusal.empty())
    return QToolTip::showText(event->globalPosition().toPoint(), m_reason, this);
  m_isDragging = true;
  m_pressed = event->globalPosition();
}

void SizeHandle::mouseMoveEvent(QMouseEvent *event) {
  if (!m_isDragging) return;
  const QPointF moved = event->globalPosition() - m_pressed;
  askFor(double(m_handle.value) + (isAcross() ? moved.x() : moved.y()) / m_scale);
}

void SizeHandle::mouseReleaseEvent(QMouseEvent *event) {
  if (event->button() == Qt::LeftButton && m_isDragging) take();
}

void SizeHandle::step(block::StepTo to) {
  if (!m_stops || !m_handle.refusal.empty()) return;
  const auto [next, refused] = stepFrom(m_asked ? m_asked->value : m_handle.value, *m_stops, to);
  m_reason =
      refused ? tr("%1 is not legal: %2")
                    .arg(QString::number(refused->value), QString::fromStdString(refused->refusal))
              : QString();
  if (refused) QToolTip::showText(mapToGlobal(QPoint(width(), height())), m_reason, this);
  if (next) return askFor(next);
  describe();
}

void SizeHandle::keyPressEvent(QKeyEvent *event) {
  switch (event->key()) {
  case Qt::Key_Right:
  case Qt::Key_Down:
  case Qt::Key_Plus:
    return step(block::StepTo::Larger);
  case Qt::Key_Left:
  case Qt::Key_Up:
  case Qt::Key_Minus:
    return step(block::StepTo::Smaller);
  case Qt::Key_Return:
  case Qt::Key_Enter:
    return take();
  case Qt::Key_Escape:
    if (isPulled()) return cancel();
    break;
  default:
    break;
  }
  QWidget::keyPressEvent(event);
}

void SizeHandle::focusInEvent(QFocusEvent *event) {
  QWidget::focusInEvent(event);
  update();
}

void SizeHandle::focusOutEvent(QFocusEvent *event) {
  QWidget::focusOutEvent(event);
  if (event->reason() != Qt::PopupFocusReason && !m_isDragging && m_asked) cancel();
  update();
}

void SizeHandle::paintEvent(QPaintEvent *) {
  const Colors colors(palette());
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool isOff = !m_handle.refusal.empty();
  const bool isRefused = !m_reason.isEmpty() && !isOff;
  QColor fill = isOff       ? mix(colors.canvas, colors.line, 0.6)
                : isRefused ? colors.error
                            : colors.accent;
  if (!isOff && !underMouse() && !hasFocus() && !isPulled()) fill = mix(fill, colors.canvas, 0.25);
  painter.setBrush(fill);
  painter.setPen(hasFocus() ? QPen(colors.text, 1.6) : QPen(Qt::NoPen));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
  painter.setPen(isOff ? colors.faintText : colors.onTop(fill));
  painter.drawText(rect(), Qt::AlignCenter, labelOf(m_asked ? m_asked->value : m_handle.value));
}

} // namespace tessera::views
