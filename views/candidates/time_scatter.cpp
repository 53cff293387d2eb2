// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/candidates/time_scatter.h"

#include "engine/chart/log_axis.h"
#include "views/plot/plot_parts.h"
#include "views/text/measurement_text.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::views {

namespace {

constexpr QMargins kRoom(78, 10, 26, 40);
constexpr double kRadius = 4.5, kReach = 10;
constexpr double kTickRoomX = 46, kTickRoomY = 20;

std::vector<Scatter::Tick> ticksOf(const chart::LogAxis &axis, double room) {
  std::vector<Scatter::Tick> ticks;
  double last = -1e9;
  for (const double value : axis.steps()) {
    const double at = axis.at(value);
    const bool hasRoom = std::abs(at - last) >= room;
    ticks.push_back({at, hasRoom ? timeText(value) : QString(), value});
    if (hasRoom) last = at;
  }
  return ticks;
}

// Both axes have the same range, which covers all predicted and measured times.
chart::LogAxis axisOf(const std::vector<ScatterPoint> &points) {
  chart::LogAxis axis;
  for (const ScatterPoint &point : points)
    for (const double seconds : {point.predicted, point.measured})
      axis.show(seconds);
  axis.fit(0, 1);
  return axis;
}

std::size_t lookOf(const ScatterPoint &point) {
  return std::size_t(point.isCurrent) + 2 * std::size_t(point.isStale) +
         4 * std::size_t(point.isElsewhere);
}

QPainterPath circle(double radius) {
  QPainterPath path;
  path.addEllipse(QPointF(), radius, radius);
  return path;
}

std::vector<PlotTick> plotTicksOf(const std::vector<Scatter::Tick> &ticks) {
  std::vector<PlotTick> marks;
  for (const Scatter::Tick &tick : ticks)
    marks.push_back({tick.value, tick.text});
  return marks;
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

Scatter scatterOf(const std::vector<ScatterPoint> &points, const QRectF &field,
                  const ZoomHistory::View &window) {
  Scatter scatter;
  scatter.field = field;
  if (points.empty()) return scatter;
  const chart::LogAxis all = axisOf(points);
  scatter.window = window.value_or(ChartWindow{all.least(), all.most(), all.least(), all.most()});
  const ChartWindow &seen = scatter.window;
  chart::LogAxis x, y;
  x.fitTo(seen.leastX, seen.mostX, field.left(), field.right());
  y.fitTo(seen.leastY, seen.mostY, field.bottom(), field.top());
  for (const ScatterPoint &point : points)
    scatter.places.push_back({x.at(point.predicted), y.at(point.measured)});
  scatter.ticksX = ticksOf(x, kTickRoomX);
  scatter.ticksY = ticksOf(y, kTickRoomY);
  return scatter;
}

TimeScatter::TimeScatter(QWidget *parent)
    : PlotView({.isLogX = true, .isLogY = true, .canZoomY = true}, parent) {
  setObjectName(QStringLiteral("timeScatter"));
  setAccessibleName(tr("Predicted times against measured times"));
  showAxes(true, true);
  plot().xAxis->setLabel(tr("predicted"));
  plot().yAxis->setLabel(tr("measured"));
  m_diagonal = &addGraph(plot(), QCPGraph::lsLine);
  for (QCPGraph *&look : m_looks)
    look = &addMarks(plot());
  m_ring = &addMarks(plot());
  m_name = new QCPItemText(&plot());
  m_name->setClipToAxisRect(false);
  m_name->setSelectable(false);
  m_name->setPadding({3, 0, 3, 0});
  m_name->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
}

void TimeScatter::setPoints(std::vector<ScatterPoint> points) {
  if (points == m_points) return;
  m_points = std::move(points);
  m_marked.reset();
  describe();
  m_points.empty() ? forgetZoom() : changed();
}

void TimeScatter::describe() {
  const int count = int(m_points.size());
  const QString all = count == 1 ? tr("1 candidate was measured")
                                 : tr("%n candidates were measured", nullptr, count);
  setAccessibleDescription(m_marked ? all + QStringLiteral(". ") + toolTipOf(*m_marked) : all);
}

ChartWindow TimeScatter::whole() const {
  const chart::LogAxis axis = axisOf(m_points);
  return {axis.least(), axis.most(), axis.least(), axis.most()};
}

QMargins TimeScatter::room() const { return kRoom; }

Scatter TimeScatter::scatter() const { return scatterOf(m_points, field(), zoom().now()); }

void TimeScatter::fill() {
  const Scatter shown = scatter();
  setTicks(*plot().xAxis, plotTicksOf(shown.ticksX));
  setTicks(*plot().yAxis, plotTicksOf(shown.ticksY));
  const ChartWindow &seen = shown.window;
  const double least = std::min(seen.leastX, seen.leastY), most = std::max(seen.mostX, seen.mostY);
  m_diagonal->setPen(QPen(colors().faintText, kThin, Qt::DashLine));
  m_diagonal->setData({least, most}, {least, most}, true);
  for (std::size_t look = 0; look < kLooks; ++look) {
    styleLook(look);
    m_looks[look]->data()->clear();
  }
  m_ring->data()->clear();
  for (std::size_t i = 0; i < m_points.size(); ++i) {
    if (!shown.field.contains(shown.places[i])) continue;
    const ScatterPoint &point = m_points[i];
    m_looks[lookOf(point)]->addData(point.predicted, point.measured);
    if (m_marked == i) m_ring->addData(point.predicted, point.measured);
  }
  m_ring->setScatterStyle(
      QCPScatterStyle(circle(kRadius + 3), QPen(colors().text, 1.2), Qt::NoBrush, 6));
  fillName(shown);
}

// The current candidate's point is filled. A point measured on another GPU has a dotted outline. A
// stale point is struck out.
void TimeScatter::styleLook(std::size_t look) {
  const bool isCurrent = look & 1, isStale = look & 2, isElsewhere = look & 4;
  const QColor color = isStale ? colors().faintText : colors().accent;
  QPainterPath path = circle(kRadius);
  if (isStale) {
    constexpr double kOut = kRadius + 2;
    path.moveTo(-kOut, kOut);
    path.lineTo(kOut, -kOut);
  }
  // The size is 6, because QCustomPlot scales a path by a sixth of the size.
  m_looks[look]->setScatterStyle(
      QCPScatterStyle(path, QPen(color, 1.5, isElsewhere ? Qt::DotLine : Qt::SolidLine),
                      isCurrent ? color : mix(colors().canvas, color, 0.25), 6));
}

// Shows the marked point's name beside the point and inside the field.
void TimeScatter::fillName(const Scatter &shown) {
  const bool isSeen = m_marked && shown.field.contains(shown.places[*m_marked]);
  m_name->setVisible(isSeen);
  if (!isSeen) return;
  const QPointF place = shown.places[*m_marked];
  const QString &name = m_points[*m_marked].name;
  const QFontMetricsF metrics(smallFont());
  constexpr double kAway = kRadius + 5;
  QRectF word(place.x() + kAway, place.y() - metrics.height(), metrics.horizontalAdvance(name) + 6,
              metrics.height());
  if (word.right() > shown.field.right()) word.moveRight(place.x() - kAway);
  if (word.top() < shown.field.top()) word.moveTop(shown.field.top());
  m_name->setFont(smallFont());
  m_name->setColor(colors().text);
  m_name->setBrush(colors().canvas);
  m_name->setText(name);
  m_name->position->setPixelPosition(word.topLeft());
}

void TimeScatter::mark(std::optional<std::size_t> point) {
  if (point == m_marked) return;
  m_marked = point;
  setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
  describe();
  changed();
}

void TimeScatter::clickAt(QPointF place) {
  if (const auto point = scatter().at(place)) emit loadWanted(m_points[*point].id);
}

void TimeScatter::pointAt(std::optional<QPointF> place) {
  mark(place ? scatter().at(*place) : std::nullopt);
}

// The arrow keys visit the points from left to right.
void TimeScatter::keyPressEvent(QKeyEvent *event) {
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isReturn && m_marked) return emit loadWanted(m_points[*m_marked].id);
  const bool isLeft = event->key() == Qt::Key_Left;
  const bool isStep =
      (isLeft || event->key() == Qt::Key_Right) && !(event->modifiers() & Qt::ShiftModifier);
  if (!isStep || m_points.empty()) return PlotView::keyPressEvent(event);
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
  if (point.isElsewhere)
    text += '\n' + tr("Measured on a different GPU from the one it was predicted for");
  return text + '\n' + tr("Click to make this the current schedule");
}

QString TimeScatter::textAt(QPointF place) const {
  const auto point = scatter().at(place);
  return point ? toolTipOf(*point) : QString();
}

} // namespace tessera::views
