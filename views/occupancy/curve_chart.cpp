// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/occupancy/curve_chart.h"

#include "views/plot/plot_parts.h"
#include "views/tables/occupancy_table_model.h"
#include "views/text/counted_text.h"
#include "views/text/stage_summary.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <ranges>
#include <utility>

namespace tessera::views {

using machine::BlockUse;
using machine::Resource;

namespace {

constexpr int kBand = 15; // strip below the plot that shows the limiting resource
constexpr double kDot = 5;

QColor colorOf(const Colors &colors, Resource resource) {
  switch (resource) {
  case Resource::Threads:
    return colors.hue(StageKind::Input, false);
  case Resource::Registers:
    return colors.hue(StageKind::Update, false);
  case Resource::SharedMemory:
    return colors.hue(StageKind::Reduction, false);
  case Resource::Blocks:
    break;
  }
  return colors.hue(StageKind::Pure, false);
}

} // namespace

QString titleOf(BlockNumber number) {
  switch (number) {
  case BlockNumber::Threads:
    return CurveChart::tr("Block size");
  case BlockNumber::Registers:
    return CurveChart::tr("Registers");
  case BlockNumber::SharedBytes:
    break;
  }
  return CurveChart::tr("Shared memory");
}

CurveChart::CurveChart(BlockNumber number, QWidget *parent)
    : PlotView(PlotAxes(), parent), m_number(number) {
  setAccessibleName(tr("Occupancy depending on: %1").arg(titleOf(number)));
  showAxes(true, false);
  // The occupancy at a value between two points is that of the next higher point.
  m_before = &addGraph(plot(), QCPGraph::lsStepRight);
  m_now = &addGraph(plot(), QCPGraph::lsStepRight);
  m_lead = &addGraph(plot(), QCPGraph::lsLine);
  m_actual = &addMarks(plot());
  m_asked = &addMarks(plot());
  m_title = new QCPItemText(&plot());
  m_title->setSelectable(false);
  m_title->setClipToAxisRect(false);
  m_title->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_title->setText(titleOf(number));
  addPart(
      QStringLiteral("main"), [this](QPainter &painter) { paintBands(painter); },
      [this] { return strip(); });
}

void CurveChart::show(const machine::Machine &machine, const BlockUse &actual,
                      const BlockUse &asked) {
  m_state = State{machine, actual, asked};
  const machine::Occupancy here = occupancy(machine, asked);
  setAccessibleDescription(tr("%1 at %2, limited by %3. Use the arrow keys to try other values.")
                               .arg(percentText(here.fraction), countText(valueOf(asked, m_number)),
                                    resourceText(here.limiting)));
  changed();
}

void CurveChart::clear() {
  m_state.reset();
  m_isAsking = false;
  setAccessibleDescription({});
  changed();
}

ChartWindow CurveChart::whole() const {
  return {0, double(curveOver(m_state->machine, m_state->asked, m_number).back().value), 0, 1};
}

QMargins CurveChart::room() const {
  const int line = fontMetrics().height();
  const int left = fontMetrics().horizontalAdvance(QStringLiteral("100 %")) + 8;
  // The last number of the axis is centred at its end, so half of it needs room on the right.
  const QString last =
      m_number == BlockNumber::SharedBytes ? tr("%1 KiB").arg(countText(228)) : countText(1024);
  const int right = fontMetrics().horizontalAdvance(last) / 2 + 2;
  return {left, line + 10, right, line + kBand + 8};
}

// The curve of the property that the chart varies. It is placed at the current zoom and may extend
// beyond the field.
OccupancyCurve CurveChart::curveOf(const BlockUse &use) const {
  return {curveOver(m_state->machine, use, m_number), m_number, scale().stretched(whole())};
}

OccupancyCurve CurveChart::curve() const { return curveOf(m_state->asked); }

QPointF CurveChart::pointOf(const OccupancyCurve &curve, const BlockUse &use) const {
  return {curve.xOf(valueOf(use, m_number)), curve.yOf(occupancy(m_state->machine, use).fraction)};
}

QPointF CurveChart::actualPoint() const { return pointOf(curve(), m_state->actual); }
QPointF CurveChart::askedPoint() const { return pointOf(curve(), m_state->asked); }

QRectF CurveChart::strip() const {
  const QRectF all = field();
  return {all.left(), all.bottom() + 1, all.width(), kBand - 2};
}

// ---- Drawing

void CurveChart::fill() {
  const OccupancyCurve now = curve();
  const bool isAsked = !(m_state->asked == m_state->actual);
  fillAxes(now);
  QColor inside = colors().accent;
  inside.setAlphaF(0.12F);
  m_now->setPen(QPen(colors().accent, 1.8, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
  m_now->setBrush(inside);
  fillCurve(*m_now, now);
  m_before->setPen(QPen(colors().edge, 1.2, Qt::DashLine));
  m_before->setVisible(isAsked);
  if (isAsked) fillCurve(*m_before, curveOf(m_state->actual));
  // A filled dot marks the kernel itself. A ring with lines to both axes marks the what-if value.
  using Style = QCPScatterStyle;
  m_actual->setScatterStyle(
      Style(Style::ssCircle, QPen(colors().canvas, 2), colors().text, 2 * kDot));
  fillPoint(*m_actual, m_state->actual);
  m_asked->setScatterStyle(
      Style(Style::ssCircle, QPen(colors().warning, 2), colors().canvas, 2 * kDot + 1));
  m_asked->setVisible(isAsked);
  m_lead->setPen(QPen(colors().warning, kThin, Qt::DotLine));
  m_lead->setVisible(isAsked);
  if (!isAsked) return;
  fillPoint(*m_asked, m_state->asked);
  const double x = double(valueOf(m_state->asked, m_number));
  const double y = occupancy(m_state->machine, m_state->asked).fraction;
  m_lead->setData({0, x, x}, {y, y, 0}, true);
}

void CurveChart::fillAxes(const OccupancyCurve &curve) {
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  m_title->setFont(bold);
  m_title->setColor(colors().text);
  const double line = fontMetrics().height();
  m_title->position->setPixelPosition({field().left(), 2 + (line + 4) / 2});
  std::vector<PlotTick> x, y;
  for (const OccupancyCurve::Tick &tick : curve.yTicks())
    y.push_back({tick.value, tick.text});
  // Labels are placed from the right, where the unit stands. In a narrow chart some numbers have no
  // room and are left out.
  constexpr double kGap = 4;
  double room = width();
  for (const OccupancyCurve::Tick &tick : curve.xTicks() | std::views::reverse) {
    const double half = fontMetrics().horizontalAdvance(tick.text) / 2.0;
    const bool isSeen = tick.at >= field().left() && tick.at <= field().right();
    const bool hasRoom = isSeen && tick.at + half <= room;
    x.push_back({tick.value, hasRoom ? tick.text : QString()});
    if (hasRoom) room = tick.at - half - kGap;
  }
  for (QCPAxis *axis : {plot().xAxis, plot().yAxis}) {
    axis->setTickLength(0);
    axis->setSubTickLength(0);
    axis->setTickLabelFont(font());
    axis->setTickLabelPadding(axis == plot().xAxis ? kBand + 3 : 4);
    axis->grid()->setVisible(true);
    axis->grid()->setSubGridVisible(true);
    axis->grid()->setPen(QPen(colors().line, 1));
    axis->grid()->setSubGridPen(QPen(colors().line, 1));
    axis->setBasePen(Qt::NoPen);
  }
  setTicks(*plot().xAxis, std::move(x));
  setTicks(*plot().yAxis, std::move(y));
}

void CurveChart::fillCurve(QCPGraph &graph, const OccupancyCurve &curve) const {
  QVector<double> values{0}, fractions{curve.points().front().occupancy.fraction};
  for (const machine::OccupancyPoint &point : curve.points()) {
    values << double(point.value);
    fractions << point.occupancy.fraction;
  }
  graph.setData(values, fractions, true);
}

void CurveChart::fillPoint(QCPGraph &graph, const BlockUse &use) const {
  const double value = double(valueOf(use, m_number));
  graph.data()->clear();
  const ChartWindow seen = scale().window();
  if (value >= seen.leastX && value <= seen.mostX)
    graph.addData(value, occupancy(m_state->machine, use).fraction);
}

// Every band has the colour of its limiting resource, and the name of it where there is room. The
// tooltip always has the name.
void CurveChart::paintBands(QPainter &painter) const {
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.85);
  painter.setFont(small);
  const QFontMetricsF metrics(small);
  const OccupancyCurve now = curve();
  for (const OccupancyCurve::Band &band : now.bands()) {
    const QRectF box = QRectF(band.from, strip().top(), band.to - band.from, strip().height());
    painter.fillRect(box, mix(colors().canvas, colorOf(colors(), band.limiting), 0.32));
    painter.setPen(colors().text);
    const QRectF seen = box & strip();
    const QString word = resourceText(band.limiting);
    if (metrics.horizontalAdvance(word) + 4 < seen.width())
      painter.drawText(seen, Qt::AlignCenter, word);
    painter.setPen(colors().canvas);
    painter.drawLine(box.topRight(), box.bottomRight());
  }
}

// ---- Mouse and keys

void CurveChart::mousePressEvent(QMouseEvent *event) {
  const bool asks = event->button() == Qt::LeftButton && !(event->modifiers() & Qt::ShiftModifier);
  if (!asks || !m_state) return PlotView::mousePressEvent(event);
  m_isAsking = true;
  emit asked(m_number, curve().valueAt(event->position().x()));
}

void CurveChart::mouseMoveEvent(QMouseEvent *event) {
  if (!m_isAsking || !(event->buttons() & Qt::LeftButton)) return PlotView::mouseMoveEvent(event);
  if (m_state) emit asked(m_number, curve().valueAt(event->position().x()));
}

void CurveChart::mouseReleaseEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton || !std::exchange(m_isAsking, false))
    PlotView::mouseReleaseEvent(event);
}

// A double click counts as two presses.
void CurveChart::mouseDoubleClickEvent(QMouseEvent *event) { mousePressEvent(event); }

void CurveChart::pointAt(std::optional<QPointF> place) {
  if (!m_state || !place) return;
  const QPointF away = *place - askedPoint();
  setCursor(QPointF::dotProduct(away, away) < 4 * kDot * kDot ? Qt::SizeHorCursor
                                                              : Qt::ArrowCursor);
}

void CurveChart::keyPressEvent(QKeyEvent *event) {
  if (!m_state || event->modifiers() & Qt::ShiftModifier) return PlotView::keyPressEvent(event);
  const OccupancyCurve now = curve();
  const std::int64_t here = valueOf(m_state->asked, m_number), step = now.step();
  const auto ask = [&](std::int64_t value) {
    emit asked(m_number, std::clamp(value, now.least(), now.most()));
  };
  constexpr int kPage = 8;
  switch (event->key()) {
  case Qt::Key_Left: // to the next lower multiple of a step
    return ask((here - 1) / step * step);
  case Qt::Key_Right:
    return ask((here / step + 1) * step);
  case Qt::Key_PageDown:
    return ask((here / step - kPage) * step);
  case Qt::Key_PageUp:
    return ask((here / step + kPage) * step);
  case Qt::Key_Home:
    return ask(now.least());
  case Qt::Key_End:
    return ask(now.most());
  default:
    PlotView::keyPressEvent(event);
  }
}

QString CurveChart::textAt(QPointF place) const {
  const std::int64_t value = curve().valueAt(place.x());
  const machine::Occupancy there =
      occupancy(m_state->machine, with(m_state->asked, m_number, value));
  return tr("%1: %2\n%3 = %4 warps × %5 ÷ %6 threads\n%7, limited by %8")
      .arg(titleOf(m_number), countText(value), percentText(there.fraction), countText(there.warps),
           countText(m_state->machine.limits.warpSize), countText(m_state->machine.sm.threads),
           blocksText(there.blocks), resourceText(there.limiting));
}

} // namespace tessera::views
