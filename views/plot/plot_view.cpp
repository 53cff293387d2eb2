// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plot/plot_view.h"

#include "views/plot/plot_accessible.h"
#include "views/plot/plot_parts.h"
#include "views/theme/chart_tool_tip.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::views {

namespace {

constexpr double kLeastDrag = 6; // pixels; a shorter drag is a click
constexpr double kSmall = 0.88;  // factor for the font's size
constexpr double kPanPart = 0.1; // part of the field that a key pans by

} // namespace

PlotView::PlotView(const PlotAxes &axes, QWidget *parent)
    : QWidget(parent), m_axes(axes), m_colors(palette()) {
  announcePlots();
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  m_plot = new QCustomPlot(this);
  // The chart handles mouse and keys, because only it knows what is at a place.
  m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_plot->installEventFilter(this);
  QCPAxisRect &rect = *m_plot->axisRect();
  rect.setAutoMargins(QCP::msNone);
  for (const auto &[axis, isLog] :
       {std::pair(m_plot->xAxis, axes.isLogX), std::pair(m_plot->yAxis, axes.isLogY)}) {
    axis->setScaleType(isLog ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    setTicks(*axis, {});
  }
  addPart(QStringLiteral("overlay"), [this](QPainter &painter) { paintOverlay(painter); });
  m_plot->hide();
}

PlotView::~PlotView() = default;

QRectF PlotView::field() const {
  constexpr double kLeast = 20;
  const QRectF field = QRectF(rect()).marginsRemoved(room());
  return {field.topLeft(),
          QSizeF(std::max(field.width(), kLeast), std::max(field.height(), kLeast))};
}

// Without a zoom, the window is whole(), which is called only then.
PlotScale PlotView::scale() const {
  return {m_axes, m_zoom.now() ? *m_zoom.now() : whole(), field()};
}

QPointF PlotView::drawnPlaceOf(double x, double y) {
  redraw();
  return {m_plot->xAxis->coordToPixel(x), m_plot->yAxis->coordToPixel(y)};
}

QFont PlotView::smallFont() const {
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * kSmall);
  return small;
}

void PlotView::showAxes(bool areLabelled, bool hasBox) {
  for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis}) {
    axis->setTicks(areLabelled);
    axis->setTickLabels(areLabelled);
  }
  for (QCPAxis *axis : {m_plot->xAxis2, m_plot->yAxis2}) {
    axis->setVisible(hasBox);
    axis->setTicks(false);
    axis->setTickLabels(false);
  }
}

void PlotView::addPart(const QString &layer, std::function<void(QPainter &)> paint,
                       std::function<QRectF()> clip) {
  // The library also draws at its own times, for example when it is created, and the chart may be
  // empty then.
  const auto paintSomething = [this, paint = std::move(paint)](QPainter &painter) {
    if (!isEmpty()) paint(painter);
  };
  const auto clipSomething = [this, clip = std::move(clip)] {
    return isEmpty() || !clip ? QRectF(rect()) : clip();
  };
  new PaintedPart(*m_plot, layer, paintSomething, clipSomething); // owned by the plot
}

// ---- Drawing

void PlotView::changed() {
  m_isDirty = true;
  if (isEmpty()) endDrag(); // an empty chart has no scale for the drag
  // The library cannot draw a chart without an area.
  m_plot->setVisible(!isEmpty() && !rect().isEmpty());
  m_plot->update();
  update();
}

// The plot is drawn when its widget is painted, once for all changes since the last time.
bool PlotView::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_plot && event->type() == QEvent::Paint) {
    // The window has moved to another screen.
    if (m_plot->bufferDevicePixelRatio() != devicePixelRatioF()) {
      m_plot->setBufferDevicePixelRatio(devicePixelRatioF());
      m_isDirty = true;
    }
    if (m_isDirty) redraw();
  }
  return QWidget::eventFilter(watched, event);
}

void PlotView::redraw() {
  m_isDirty = false;
  if (isEmpty()) return;
  style();
  const PlotScale now = scale();
  // For y, the library counts from the last row of pixels of its rectangle, PlotScale from the edge
  // below that row. So the rectangle is moved down by a pixel.
  const QRect field = now.field().toRect().translated(0, 1);
  // The geometry is set before the margins: these are relative to the library's copy of the
  // widget's size, which follows a resize late.
  m_plot->setGeometry(rect());
  m_plot->setViewport(rect());
  m_plot->axisRect()->setMargins(
      {field.left(), field.top(), width() - field.right() - 1, height() - field.bottom() - 1});
  m_plot->xAxis->setRange(now.window().leastX, now.window().mostX);
  m_plot->yAxis->setRange(now.window().leastY, now.window().mostY);
  fill();
  m_plot->replot(QCustomPlot::rpQueuedRefresh);
}

void PlotView::style() {
  m_plot->setBackground(m_colors.canvas);
  for (QCPAxis *axis : m_plot->axisRect()->axes())
    styleAxis(*axis);
}

void PlotView::styleAxis(QCPAxis &axis) {
  const QPen line(m_colors.line, 1);
  axis.setBasePen(line);
  axis.setTickPen(line);
  axis.setSubTickPen(line);
  axis.setSubTicks(axis.ticks());
  axis.setTickLength(0, 4);
  axis.setSubTickLength(0, 4);
  axis.setTickLabelFont(smallFont());
  axis.setTickLabelColor(m_colors.faintText);
  axis.setTickLabelPadding(2);
  axis.setLabelFont(smallFont());
  axis.setLabelColor(m_colors.text);
  axis.grid()->setVisible(false);
  axis.grid()->setZeroLinePen(Qt::NoPen);
}

void PlotView::paintOverlay(QPainter &painter) {
  if (m_isPicture) return;
  if (m_drag == Drag::Rectangle) {
    QColor inside = m_colors.accent;
    inside.setAlphaF(0.15F);
    painter.setPen(QPen(m_colors.accent, 1));
    painter.setBrush(inside);
    painter.drawRect(rectangle());
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(m_colors.accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
}

void PlotView::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  if (!rect().isEmpty()) m_plot->setGeometry(rect());
  changed();
}

void PlotView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (!m_plot) return; // during construction
  if (event->type() == QEvent::PaletteChange) m_colors = Colors(palette());
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) changed();
}

void PlotView::focusInEvent(QFocusEvent *event) {
  QWidget::focusInEvent(event);
  changed();
}

void PlotView::focusOutEvent(QFocusEvent *event) {
  QWidget::focusOutEvent(event);
  changed();
}

// ---- Zoom

void PlotView::zoomTo(const ZoomHistory::View &view, ZoomHistory::Gesture gesture) {
  m_zoom.show(view, gesture);
  zoomChangedNow();
}

void PlotView::zoomChangedNow() {
  changed();
  emit zoomChanged();
}

void PlotView::zoomBy(double factor, QPointF about) {
  if (isEmpty()) return;
  const ChartWindow all = whole();
  const auto window = scale().zoomed(factor, about, all);
  if (!window) return;
  zoomTo(*window == all ? ZoomHistory::View() : window, ZoomHistory::Gesture::Part);
}

void PlotView::zoomBy(double factor) { zoomBy(factor, field().center()); }

void PlotView::panBy(QPointF pixels) {
  if (isEmpty()) return;
  const ChartWindow window = scale().panned(pixels, whole());
  if (window != scale().window()) zoomTo(window, ZoomHistory::Gesture::Part);
}

void PlotView::zoomBack() {
  m_zoom.back();
  zoomChangedNow();
}

void PlotView::zoomForward() {
  m_zoom.forward();
  zoomChangedNow();
}

void PlotView::zoomToAll() { zoomTo(std::nullopt, ZoomHistory::Gesture::Whole); }

void PlotView::forgetZoom() {
  endDrag();
  m_zoom.clear();
  zoomChangedNow();
}

// ---- Mouse and keys

QRectF PlotView::rectangle() const {
  const QRectF all = field();
  QRectF drawn = QRectF(m_pressed, m_dragged).normalized() & all;
  if (!m_axes.canZoomY) {
    drawn.setTop(all.top());
    drawn.setBottom(all.bottom());
  }
  return drawn;
}

void PlotView::mousePressEvent(QMouseEvent *event) {
  const bool isLeft = event->button() == Qt::LeftButton;
  if (isEmpty() || (!isLeft && event->button() != Qt::MiddleButton)) return event->ignore();
  m_pressed = m_dragged = event->position();
  m_panned = scale().window();
  m_drag = isLeft && !(event->modifiers() & Qt::ShiftModifier) ? Drag::Pressed : Drag::Pan;
}

void PlotView::mouseMoveEvent(QMouseEvent *event) {
  if (m_drag != Drag::None && event->buttons() & (Qt::LeftButton | Qt::MiddleButton))
    return drag(event->position());
  pointAt(event->position());
}

void PlotView::endDrag() {
  m_drag = Drag::None;
  unsetCursor();
}

// A rectangle that is dragged beyond the field ends at the edge of the field.
void PlotView::drag(QPointF to) {
  if (isEmpty()) return;
  const QRectF all = field();
  const QPointF moved = to - m_pressed;
  if (m_drag == Drag::Pressed || m_drag == Drag::Rectangle) {
    m_dragged = {std::clamp(to.x(), all.left(), all.right()),
                 std::clamp(to.y(), all.top(), all.bottom())};
    const QPointF drawn = m_dragged - m_pressed;
    if (std::abs(drawn.x()) > kLeastDrag && (!m_axes.canZoomY || std::abs(drawn.y()) > kLeastDrag))
      m_drag = Drag::Rectangle;
    return changed();
  }
  if (m_drag == Drag::Pan && moved.manhattanLength() <= kLeastDrag) return;
  const ChartWindow window = PlotScale(m_axes, m_panned, all).panned(moved, whole());
  // A whole drag is one step of the zoom history.
  if (std::exchange(m_drag, Drag::Panned) == Drag::Panned)
    m_zoom.amend(window);
  else
    m_zoom.show(window, ZoomHistory::Gesture::Whole);
  zoomChangedNow();
  setCursor(Qt::ClosedHandCursor); // zoomChanged() may have changed the cursor
}

void PlotView::mouseReleaseEvent(QMouseEvent *event) {
  const Drag ended = std::exchange(m_drag, Drag::None);
  if (ended == Drag::None || isEmpty()) return event->ignore();
  if (ended == Drag::Panned) return unsetCursor();
  if (ended == Drag::Rectangle) {
    const QRectF place = rectangle();
    changed();
    if (place.width() > kLeastDrag && place.height() > kLeastDrag)
      zoomTo(scale().windowOf(place), ZoomHistory::Gesture::Whole);
    return;
  }
  if (event->button() == Qt::LeftButton) clickAt(event->position());
}

// With another button than the left one, a double click counts as two presses.
void PlotView::mouseDoubleClickEvent(QMouseEvent *event) {
  if (isEmpty() || event->button() != Qt::LeftButton) return mousePressEvent(event);
  if (!hasMarkAt(event->position())) zoomToAll();
}

void PlotView::wheelEvent(QWheelEvent *event) {
  const double steps = event->angleDelta().y() / 120.0;
  if (steps != 0) zoomBy(std::pow(kZoomStep, steps), event->position());
  event->accept();
}

void PlotView::leaveEvent(QEvent *event) {
  QWidget::leaveEvent(event);
  pointAt(std::nullopt);
}

void PlotView::keyPressEvent(QKeyEvent *event) {
  const bool isShifted = event->modifiers() & Qt::ShiftModifier;
  const QSizeF step = field().size() * kPanPart;
  switch (event->key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    return zoomBy(kZoomStep);
  case Qt::Key_Minus:
    return zoomBy(1 / kZoomStep);
  case Qt::Key_Backspace:
    return isShifted ? zoomForward() : zoomBack();
  case Qt::Key_Home:
    return zoomToAll();
  case Qt::Key_Left:
    if (isShifted) return panBy({step.width(), 0});
    break;
  case Qt::Key_Right:
    if (isShifted) return panBy({-step.width(), 0});
    break;
  case Qt::Key_Up:
    if (isShifted) return panBy({0, step.height()});
    break;
  case Qt::Key_Down:
    if (isShifted) return panBy({0, -step.height()});
    break;
  case Qt::Key_Escape:
    if (std::exchange(m_drag, Drag::None) != Drag::None) return changed();
    if (m_zoom.now()) return zoomToAll();
    break;
  default:
    break;
  }
  QWidget::keyPressEvent(event);
}

bool PlotView::event(QEvent *event) {
  const auto text = [this](QPoint where) { return isEmpty() ? QString() : textAt(where); };
  return showToolTip(*this, *event, text) || QWidget::event(event);
}

} // namespace tessera::views
