// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/roofline/roofline_view.h"

#include "engine/chart/quantity_text.h"
#include "views/tables/roofline_table_model.h"
#include "views/theme/chart_tool_tip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tessera::views {

using chart::ChartWindow;
using chart::MarkRow;
using chart::Point;
using chart::RooflineChart;

namespace {

constexpr double kLeastDrag = 6; // less is a click
constexpr double kZoomStep = 1.3;

const cost::Placed &placedOf(const cost::Roofline &roofline, const MarkRow &row) {
  return (row.isWhole ? roofline.pipelines : roofline.kernels)[row.work];
}

} // namespace

RooflineView::RooflineView(ShownKernels &kernels, QWidget *parent)
    : QWidget(parent), m_kernels(kernels) {
  setAccessibleName(tr("Roofline"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  connect(&m_kernels, &ShownKernels::currentChanged, this, qOverload<>(&QWidget::update));
}

void RooflineView::show(std::vector<DrawnRoofline> drawn) {
  m_drawn = std::move(drawn);
  // A kernel has a point for its prediction, and one for what was measured.
  std::map<std::string, int> numbers;
  for (int i = 0; i < m_kernels.count(); ++i)
    numbers.emplace(m_kernels.name(i).toStdString(), i);
  m_numbers.clear();
  if (!m_drawn.empty())
    for (const cost::Placed &kernel : m_drawn.front().roofline->kernels) {
      const auto at = numbers.find(kernel.work.name);
      m_numbers.push_back(at == numbers.end() ? -1 : at->second);
    }
  m_chart.reset();
  m_hovered.reset();
  setAccessibleDescription(m_drawn.empty() ? QString() : QString::fromStdString(chart().subtitle));
  update();
}

int RooflineView::kernelOf(const MarkRow &row) const {
  if (row.isWhole || (row.series > 0 && !row.ours)) return -1;
  const std::size_t work = row.series > 0 ? *row.ours : row.work;
  return work < m_numbers.size() ? m_numbers[work] : -1;
}

chart::Frame RooflineView::frame() const {
  const double below = kBottomRoom + (m_drawn.size() > 1 ? kKeyLine : 0);
  return {kLeftRoom, kTopRoom, std::max(width() - kLeftRoom - kRightRoom, 60.0),
          std::max(height() - kTopRoom - below, 60.0)};
}

const RooflineChart &RooflineView::chart() {
  if (m_chart) return *m_chart;
  chart::ChartOptions options;
  options.numbers = chart::ChartOptions::Numbers::ByLaunch;
  options.frame = frame();
  options.window = m_zoom.now();
  for (std::size_t i = 1; i < m_drawn.size(); ++i)
    options.compared.push_back({m_drawn[i].roofline.get(), m_drawn[i].title});
  m_chart = m_drawn.empty() ? RooflineChart() : chartOf(*m_drawn.front().roofline, {}, options);
  return *m_chart;
}

void RooflineView::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (m_drawn.empty()) return;
  const Colors colors(palette());
  paintRoofline(painter, chart(),
                {colors, font(), m_kernels.current(), m_numbers, m_kernels.isChosen(), m_hovered});
  if (m_isDragging) {
    QColor fill = colors.accent;
    fill.setAlphaF(0.15F);
    painter.setPen(QPen(colors.accent, 1));
    painter.setBrush(fill);
    painter.drawRect(QRectF(m_pressed, m_dragged).normalized());
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(colors.accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
}

void RooflineView::resizeEvent(QResizeEvent *) {
  m_chart.reset();
  m_hovered.reset();
}

// --- zoom

void RooflineView::zoomTo(const ZoomHistory::View &view, ZoomHistory::Gesture gesture) {
  m_zoom.show(view, gesture);
  zoomChangedNow();
}

void RooflineView::zoomChangedNow() {
  m_chart.reset();
  m_hovered.reset();
  update();
  emit zoomChanged();
}

ChartWindow RooflineView::windowOf(const QRectF &place) {
  const RooflineChart &now = chart();
  return {now.x.valueAt(place.left()), now.x.valueAt(place.right()), now.y.valueAt(place.bottom()),
          now.y.valueAt(place.top())};
}

void RooflineView::zoomBy(double factor, Point about) {
  if (m_drawn.empty()) return;
  const chart::Frame &now = chart().frame;
  const auto scaled = [&](double edge, double middle) { return middle + (edge - middle) / factor; };
  const QRectF place(QPointF(scaled(now.left, about.x), scaled(now.top, about.y)),
                     QPointF(scaled(now.right(), about.x), scaled(now.bottom(), about.y)));
  const ChartWindow window = windowOf(place);
  // Neither into rounding errors nor out to where nothing is.
  constexpr double kLeast = 1.01, kMost = 1e12;
  for (const double span : {window.mostX / window.leastX, window.mostY / window.leastY})
    if (!(span > kLeast && span < kMost)) return;
  zoomTo(window, ZoomHistory::Gesture::Part);
}

void RooflineView::zoomBy(double factor) {
  const chart::Frame &now = chart().frame;
  zoomBy(factor, {now.left + now.width / 2, now.top + now.height / 2});
}

void RooflineView::zoomBack() {
  m_zoom.back();
  zoomChangedNow();
}

void RooflineView::zoomForward() {
  m_zoom.forward();
  zoomChangedNow();
}

void RooflineView::zoomToAll() { zoomTo(std::nullopt, ZoomHistory::Gesture::Whole); }

// --- mouse and keys

void RooflineView::mousePressEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  m_pressed = m_dragged = event->position();
}

void RooflineView::mouseMoveEvent(QMouseEvent *event) {
  const Point place{event->position().x(), event->position().y()};
  if (!(event->buttons() & Qt::LeftButton)) return hoverRow(rowAt(chart(), place));
  const chart::Frame now = frame();
  m_dragged = {std::clamp(place.x, now.left, now.right()),
               std::clamp(place.y, now.top, now.bottom())};
  const QPointF moved = m_dragged - m_pressed;
  m_isDragging |= std::abs(moved.x()) > kLeastDrag && std::abs(moved.y()) > kLeastDrag;
  update();
}

void RooflineView::mouseReleaseEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton || m_drawn.empty()) return event->ignore();
  if (std::exchange(m_isDragging, false)) {
    const QRectF place = QRectF(m_pressed, m_dragged).normalized();
    update();
    if (place.width() > kLeastDrag && place.height() > kLeastDrag)
      zoomTo(windowOf(place), ZoomHistory::Gesture::Whole);
    return;
  }
  const auto found = rowAt(chart(), {event->position().x(), event->position().y()});
  if (const int kernel = found ? kernelOf(row(*found)) : -1; kernel >= 0) m_kernels.select(kernel);
}

void RooflineView::mouseDoubleClickEvent(QMouseEvent *event) {
  if (!rowAt(chart(), {event->position().x(), event->position().y()})) zoomToAll();
}

void RooflineView::wheelEvent(QWheelEvent *event) {
  const double steps = event->angleDelta().y() / 120.0;
  if (steps != 0)
    zoomBy(std::pow(kZoomStep, steps), {event->position().x(), event->position().y()});
  event->accept();
}

void RooflineView::step(int by) {
  if (const int count = m_kernels.count())
    m_kernels.select((m_kernels.current() + by + count) % count);
}

void RooflineView::keyPressEvent(QKeyEvent *event) {
  switch (event->key()) {
  case Qt::Key_Left:
    return step(-1);
  case Qt::Key_Right:
    return step(1);
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    return zoomBy(kZoomStep);
  case Qt::Key_Minus:
    return zoomBy(1 / kZoomStep);
  case Qt::Key_Backspace:
    return event->modifiers() & Qt::ShiftModifier ? zoomForward() : zoomBack();
  case Qt::Key_Home:
    return zoomToAll();
  case Qt::Key_Escape:
    if (m_isDragging || m_zoom.now()) {
      if (!std::exchange(m_isDragging, false)) zoomToAll();
      return update();
    }
    [[fallthrough]];
  default:
    QWidget::keyPressEvent(event);
  }
}

void RooflineView::leaveEvent(QEvent *) { hoverRow({}); }

void RooflineView::hoverRow(std::optional<std::size_t> found) {
  if (found == m_hovered) return;
  m_hovered = found;
  const int kernel = found ? kernelOf(row(*found)) : -1;
  m_kernels.hover(kernel >= 0 ? std::optional(kernel) : std::nullopt);
  setCursor(kernel >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

QString RooflineView::toolTipOf(std::size_t index) {
  const MarkRow &of = row(index);
  const DrawnRoofline &drawn = m_drawn[of.series];
  const cost::Placed &placed = placedOf(*drawn.roofline, of);
  QStringList lines{QString::fromStdString(of.text)};
  if (of.series > 0) lines.prepend(QString::fromStdString(drawn.title));
  if (placed.reached() > 0)
    lines << tr("Left to the roof of %1: at most %2 times as fast, %3 (bytes ÷ bandwidth, or "
                "operations ÷ rate)")
                 .arg(roofText(placed.binding),
                      QString::fromStdString(chart::timesText(1 / placed.reached())),
                      QString::fromStdString(chart::timeText(placed.boundSeconds)));
  if (const auto times = drawn.roofline->timesFloor(placed); of.isWhole && times)
    lines << tr("%1 times the floor of %2: inputs read, outputs written, values computed once")
                 .arg(QString::fromStdString(chart::timesText(*times)),
                      QString::fromStdString(chart::timeText(drawn.roofline->floor->seconds)));
  if (of.series > 0 && !of.isWhole && !of.ours)
    lines << tr("No kernel computes the same stages now");
  for (const chart::Arrow &arrow : chart().arrows)
    if (of.series == 0 && arrow.work == of.work && arrow.isWhole == of.isWhole)
      lines << tr("%1: time %2 ÷ time now − 1")
                   .arg(QString::fromStdString(arrow.text),
                        QString::fromStdString(m_drawn[1].title));
  return lines.join('\n');
}

// The roofs whose words found no room along them: the key has what fits.
QString RooflineView::toolTipOfKey() { return wordsApart(chart()).join('\n'); }

bool RooflineView::event(QEvent *event) {
  const auto textAt = [this](QPoint where) {
    const auto found = rowAt(chart(), {double(where.x()), double(where.y())});
    return found ? toolTipOf(*found) : where.y() > frame().bottom() ? toolTipOfKey() : QString();
  };
  return showToolTip(*this, *event, textAt) || QWidget::event(event);
}

} // namespace tessera::views
