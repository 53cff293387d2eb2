// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/candidates/time_scatter.h"

#include "engine/chart/log_axis.h"
#include "views/text/measurement_text.h"
#include "views/theme/chart_tool_tip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::views {

namespace {

constexpr double kLeft = 78, kRight = 26, kTop = 10, kBottom = 40;
constexpr double kRadius = 4.5, kReach = 10;
constexpr double kTickRoomX = 46, kTickRoomY = 20;
constexpr double kSmall = 0.88; // of the font

std::vector<Scatter::Tick> ticksOf(const chart::LogAxis &axis, double room) {
  std::vector<Scatter::Tick> ticks;
  double last = -1e9;
  for (const double value : axis.steps()) {
    const double at = axis.at(value);
    const bool hasRoom = std::abs(at - last) >= room;
    ticks.push_back({at, hasRoom ? timeText(value) : QString()});
    if (hasRoom) last = at;
  }
  return ticks;
}

} // namespace

std::optional<std::size_t> Scatter::at(QPointF place) const {
  std::optional<std::size_t> nearest;
  double best = kReach;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const QPointF away = places[i] - place;
    if (const double distance = std::hypot(away.x(), away.y()); distance <= best) {
      best = distance;
      nearest = i;
    }
  }
  return nearest;
}

Scatter scatterOf(const std::vector<ScatterPoint> &points, const QRectF &field) {
  Scatter scatter;
  scatter.field = field;
  if (points.empty()) return scatter;
  chart::LogAxis x, y;
  for (const ScatterPoint &point : points)
    for (const double seconds : {point.predicted, point.measured}) {
      x.show(seconds);
      y.show(seconds);
    }
  x.fit(field.left(), field.right());
  y.fit(field.bottom(), field.top());
  for (const ScatterPoint &point : points)
    scatter.places.push_back({x.at(point.predicted), y.at(point.measured)});
  scatter.ticksX = ticksOf(x, kTickRoomX);
  scatter.ticksY = ticksOf(y, kTickRoomY);
  scatter.diagonalFrom = {x.at(x.least()), y.at(x.least())};
  scatter.diagonalTo = {x.at(x.most()), y.at(x.most())};
  return scatter;
}

TimeScatter::TimeScatter(QWidget *parent) : QWidget(parent) {
  setObjectName(QStringLiteral("timeScatter"));
  setAccessibleName(tr("Predicted against measured"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
}

void TimeScatter::setPoints(std::vector<ScatterPoint> points) {
  if (points == m_points) return;
  m_points = std::move(points);
  m_marked.reset();
  const int count = int(m_points.size());
  setAccessibleDescription(count == 1 ? tr("1 candidate was measured")
                                      : tr("%n candidates were measured", nullptr, count));
  update();
}

Scatter TimeScatter::scatter() const {
  return scatterOf(m_points, QRectF(rect()).adjusted(kLeft, kTop, -kRight, -kBottom));
}

void TimeScatter::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (m_points.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * kSmall);
  painter.setFont(small);
  const Scatter shown = scatter();
  const Colors colors(palette());
  paintAxes(painter, shown, colors);
  for (std::size_t i = 0; i < m_points.size(); ++i)
    paintPoint(painter, m_points[i], shown.places[i], colors);
  if (m_marked) paintMarked(painter, shown, colors);
  if (!hasFocus()) return;
  painter.setPen(QPen(colors.accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
}

void TimeScatter::paintAxes(QPainter &painter, const Scatter &shown, const Colors &colors) const {
  const QFontMetricsF metrics(painter.font());
  const double line = metrics.height();
  painter.setPen(QPen(colors.line, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(shown.field);
  const auto tick = [&](QPointF from, QPointF to, const QRectF &words, int align,
                        const QString &text) {
    painter.setPen(QPen(colors.line, 1));
    painter.drawLine(from, to);
    painter.setPen(colors.faintText);
    painter.drawText(words, align, text);
  };
  const double bottom = shown.field.bottom(), left = shown.field.left();
  for (const Scatter::Tick &at : shown.ticksX)
    tick({at.at, bottom}, {at.at, bottom + 4}, {at.at - 40, bottom + 4, 80, line}, Qt::AlignHCenter,
         at.text);
  for (const Scatter::Tick &at : shown.ticksY)
    tick({left - 4, at.at}, {left, at.at}, {0, at.at - line / 2, left - 6, line},
         Qt::AlignRight | Qt::AlignVCenter, at.text);
  painter.setPen(colors.text);
  painter.drawText(QRectF(left, height() - line - 3, shown.field.width(), line), Qt::AlignHCenter,
                   tr("predicted"));
  painter.save();
  painter.translate(line / 2 + 3, shown.field.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-60, -line / 2, 120, line), Qt::AlignCenter, tr("measured"));
  painter.restore();
  painter.setPen(QPen(colors.faintText, 1, Qt::DashLine));
  painter.setClipRect(shown.field);
  painter.drawLine(shown.diagonalFrom, shown.diagonalTo);
  painter.setClipping(false);
}

// Filled: what is current. Dotted: of another GPU. Struck through: stale.
void TimeScatter::paintPoint(QPainter &painter, const ScatterPoint &point, QPointF place,
                             const Colors &colors) const {
  const QColor color = point.isStale ? colors.faintText : colors.accent;
  painter.setPen(QPen(color, 1.5, point.isElsewhere ? Qt::DotLine : Qt::SolidLine));
  painter.setBrush(point.isCurrent ? color : mix(palette().base().color(), color, 0.25));
  painter.drawEllipse(place, kRadius, kRadius);
  constexpr double kOut = kRadius + 2;
  if (point.isStale) painter.drawLine(place + QPointF(-kOut, kOut), place + QPointF(kOut, -kOut));
}

void TimeScatter::paintMarked(QPainter &painter, const Scatter &shown, const Colors &colors) const {
  const QPointF place = shown.places[*m_marked];
  const QString &name = m_points[*m_marked].name;
  const QFontMetricsF metrics(painter.font());
  painter.setPen(QPen(colors.text, 1.2));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(place, kRadius + 3, kRadius + 3);
  constexpr double kAway = kRadius + 5;
  QRectF word(place.x() + kAway, place.y() - metrics.height(), metrics.horizontalAdvance(name) + 6,
              metrics.height());
  if (word.right() > shown.field.right()) word.moveRight(place.x() - kAway);
  if (word.top() < shown.field.top()) word.moveTop(shown.field.top());
  painter.fillRect(word, palette().base());
  painter.drawText(word, Qt::AlignCenter, name);
}

void TimeScatter::mark(std::optional<std::size_t> point) {
  if (point == m_marked) return;
  m_marked = point;
  setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void TimeScatter::mouseReleaseEvent(QMouseEvent *event) {
  const auto point = scatter().at(event->position());
  if (event->button() == Qt::LeftButton && point) emit loadWanted(m_points[*point].id);
}

void TimeScatter::mouseMoveEvent(QMouseEvent *event) { mark(scatter().at(event->position())); }

void TimeScatter::leaveEvent(QEvent *) { mark({}); }

// From the left to the right.
void TimeScatter::keyPressEvent(QKeyEvent *event) {
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isReturn && m_marked) return emit loadWanted(m_points[*m_marked].id);
  const bool isLeft = event->key() == Qt::Key_Left;
  if ((!isLeft && event->key() != Qt::Key_Right) || m_points.empty())
    return QWidget::keyPressEvent(event);
  std::vector<std::size_t> order(m_points.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return m_points[i].predicted; });
  if (isLeft) std::ranges::reverse(order);
  const auto now = m_marked ? std::ranges::find(order, *m_marked) : order.end();
  const bool isLast = now == order.end() || now + 1 == order.end();
  mark(isLast ? order.front() : *(now + 1));
}

QString TimeScatter::toolTipOf(std::size_t index) const {
  const ScatterPoint &point = m_points[index];
  QString text = tr("%1: predicted %2, measured %3, %4 times as long as predicted")
                     .arg(point.name, timeText(point.predicted), timeText(point.measured),
                          QLocale().toString(point.measured / point.predicted, 'f', 2));
  if (point.isStale) text += '\n' + tr("Stale: the pipeline or its decisions have changed");
  if (point.isElsewhere) text += '\n' + tr("Measured on another GPU than it was predicted for");
  return text + '\n' + tr("A click makes it the current schedule");
}

bool TimeScatter::event(QEvent *event) {
  const auto textAt = [this](QPoint where) {
    const auto point = scatter().at(where);
    return point ? toolTipOf(*point) : QString();
  };
  return showToolTip(*this, *event, textAt) || QWidget::event(event);
}

} // namespace tessera::views
