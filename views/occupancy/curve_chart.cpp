// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/occupancy/curve_chart.h"

#include "views/text/counted_text.h"
#include "views/tables/occupancy_table_model.h"
#include "views/text/stage_summary.h"
#include "views/theme/chart_tool_tip.h"
#include "views/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <array>
#include <ranges>

namespace tessera::views {

using machine::BlockUse;
using machine::Resource;

namespace {

constexpr double kBand = 15; // below the plot: what limits there
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

CurveChart::CurveChart(BlockNumber number, QWidget *parent) : QWidget(parent), m_number(number) {
  setAccessibleName(tr("Occupancy over: %1").arg(titleOf(number)));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
}

void CurveChart::show(const machine::Machine &machine, const BlockUse &actual,
                      const BlockUse &asked) {
  m_state = State{machine, actual, asked};
  const machine::Occupancy here = occupancy(machine, asked);
  setAccessibleDescription(tr("%1 at %2, limited by %3. The arrow keys ask what if.")
                               .arg(percentText(here.fraction), countText(valueOf(asked, m_number)),
                                    resourceText(here.limiting)));
  update();
}

void CurveChart::clear() {
  m_state.reset();
  setAccessibleDescription({});
  update();
}

QRectF CurveChart::plot() const {
  const double line = fontMetrics().height();
  const double left = fontMetrics().horizontalAdvance(QStringLiteral("100 %")) + 8;
  return QRectF(rect()).adjusted(left, line + 10, -fontMetrics().averageCharWidth() * 3,
                                 -line - kBand - 8);
}

OccupancyCurve CurveChart::curveOf(const BlockUse &use) const {
  return {curveOver(m_state->machine, use, m_number), m_number, plot()};
}

OccupancyCurve CurveChart::curve() const { return curveOf(m_state->asked); }

QPointF CurveChart::pointOf(const OccupancyCurve &curve, const BlockUse &use) const {
  return {curve.xOf(valueOf(use, m_number)), curve.yOf(occupancy(m_state->machine, use).fraction)};
}

QPointF CurveChart::actualPoint() const { return pointOf(curve(), m_state->actual); }
QPointF CurveChart::askedPoint() const { return pointOf(curve(), m_state->asked); }

void CurveChart::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (!m_state) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const OccupancyCurve now = curve();
  paintGrid(painter, now);
  paintBands(painter, now);
  const bool isAsked = !(m_state->asked == m_state->actual);
  if (isAsked) paintCurve(painter, curveOf(m_state->actual), false);
  paintCurve(painter, now, true);
  paintPoint(painter, pointOf(now, m_state->actual), false);
  if (isAsked) paintPoint(painter, pointOf(now, m_state->asked), true);
  if (!hasFocus()) return;
  painter.setPen(QPen(Colors(palette()).accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
}

void CurveChart::paintGrid(QPainter &painter, const OccupancyCurve &curve) const {
  const Colors colors(palette());
  const QRectF &plot = curve.plot();
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  painter.setFont(bold);
  painter.setPen(colors.text);
  painter.drawText(QRectF(plot.left(), 2, plot.width(), fontMetrics().height() + 4),
                   Qt::AlignLeft | Qt::AlignVCenter, titleOf(m_number));
  painter.setFont(font());
  for (const OccupancyCurve::Tick &tick : curve.yTicks()) {
    painter.setPen(colors.line);
    painter.drawLine(QPointF(plot.left(), tick.at), QPointF(plot.right(), tick.at));
    painter.setPen(colors.faintText);
    painter.drawText(QRectF(0, tick.at - 10, plot.left() - 6, 20),
                     Qt::AlignRight | Qt::AlignVCenter, tick.text);
  }
  // From the right, where the unit stands; in a narrow chart not each has room for its number.
  constexpr double kWord = 60, kGap = 4;
  double room = width() + kWord;
  for (const OccupancyCurve::Tick &tick : curve.xTicks() | std::views::reverse) {
    painter.setPen(colors.line);
    painter.drawLine(QPointF(tick.at, plot.top()), QPointF(tick.at, plot.bottom()));
    const double half = QFontMetricsF(font()).horizontalAdvance(tick.text) / 2;
    if (tick.at + half > room) continue;
    room = tick.at - half - kGap;
    painter.setPen(colors.faintText);
    painter.drawText(QRectF(tick.at - kWord / 2, plot.bottom() + kBand + 3, kWord, 16),
                     Qt::AlignHCenter | Qt::AlignTop, tick.text);
  }
}

// The word where there is room, and the colour everywhere; the tool tip has both.
void CurveChart::paintBands(QPainter &painter, const OccupancyCurve &curve) const {
  const Colors colors(palette());
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.85);
  painter.setFont(small);
  const QFontMetricsF metrics(small);
  for (const OccupancyCurve::Band &band : curve.bands()) {
    const QRectF box(band.from, curve.plot().bottom() + 1, band.to - band.from, kBand - 2);
    const QColor fill = mix(colors.canvas, colorOf(colors, band.limiting), 0.32);
    painter.fillRect(box, fill);
    painter.setPen(colors.text);
    const QString word = resourceText(band.limiting);
    if (metrics.horizontalAdvance(word) + 4 < box.width())
      painter.drawText(box, Qt::AlignCenter, word);
    painter.setPen(colors.canvas);
    painter.drawLine(box.topRight(), box.bottomRight());
  }
  painter.setFont(font());
}

void CurveChart::paintCurve(QPainter &painter, const OccupancyCurve &curve, bool isAsked) const {
  const Colors colors(palette());
  if (isAsked) {
    QPolygonF area = curve.steps();
    area << QPointF(area.last().x(), curve.plot().bottom())
         << QPointF(area.first().x(), curve.plot().bottom());
    QColor fill = colors.accent;
    fill.setAlphaF(0.12F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(area);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(isAsked ? QPen(colors.accent, 1.8, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin)
                         : QPen(colors.edge, 1.2, Qt::DashLine));
  painter.drawPolyline(curve.steps());
}

// Full: where the kernel is; a ring with a cross of lines: what if.
void CurveChart::paintPoint(QPainter &painter, QPointF at, bool isAsked) const {
  const Colors colors(palette());
  const QRectF area = plot();
  if (isAsked) {
    painter.setPen(QPen(colors.warning, 1, Qt::DotLine));
    painter.drawLine(QPointF(at.x(), area.bottom()), at);
    painter.drawLine(QPointF(area.left(), at.y()), at);
  }
  painter.setPen(QPen(isAsked ? colors.warning : colors.canvas, 2));
  painter.setBrush(isAsked ? colors.canvas : colors.text);
  painter.drawEllipse(at, kDot + (isAsked ? 0.5 : 0), kDot + (isAsked ? 0.5 : 0));
}

void CurveChart::mousePressEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton || !m_state) return event->ignore();
  emit asked(m_number, curve().valueAt(event->position().x()));
}

void CurveChart::mouseMoveEvent(QMouseEvent *event) {
  if (!m_state) return;
  const QPointF away = event->position() - askedPoint();
  setCursor(QPointF::dotProduct(away, away) < 4 * kDot * kDot ? Qt::SizeHorCursor
                                                              : Qt::ArrowCursor);
  if (event->buttons() & Qt::LeftButton)
    emit asked(m_number, curve().valueAt(event->position().x()));
}

void CurveChart::keyPressEvent(QKeyEvent *event) {
  if (!m_state) return QWidget::keyPressEvent(event);
  const OccupancyCurve now = curve();
  const std::int64_t here = valueOf(m_state->asked, m_number), step = now.step();
  const auto ask = [&](std::int64_t value) {
    emit asked(m_number, std::clamp(value, now.least(), now.most()));
  };
  constexpr int kPage = 8;
  switch (event->key()) {
  case Qt::Key_Left: // to whole steps, from wherever it stands
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
    QWidget::keyPressEvent(event);
  }
}

QString CurveChart::toolTipAt(double x) const {
  const std::int64_t value = curve().valueAt(x);
  const machine::Occupancy there =
      occupancy(m_state->machine, with(m_state->asked, m_number, value));
  return tr("%1: %2\n%3 = %4 warps × %5 ÷ %6 threads\n%7, limited by %8")
      .arg(titleOf(m_number), countText(value), percentText(there.fraction), countText(there.warps),
           countText(m_state->machine.limits.warpSize), countText(m_state->machine.sm.threads),
           blocksText(there.blocks), resourceText(there.limiting));
}

bool CurveChart::event(QEvent *event) {
  const auto textAt = [this](QPoint where) { return m_state ? toolTipAt(where.x()) : QString(); };
  return showToolTip(*this, *event, textAt) || QWidget::event(event);
}

} // namespace tessera::views
