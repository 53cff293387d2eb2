// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_view.h"

#include "views/dag/kernel_groups.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QGestureEvent>
#include <QMouseEvent>
#include <QPinchGesture>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::views {

namespace {
constexpr double kWheelStep = 1.2; // zoom factor for one notch of the wheel
constexpr double kKeyStep = 1.25;
constexpr double kFitMargin = 28;
constexpr double kFitMaxScale = 1.25; // so that a pipeline of two stages does not fill the window
constexpr int kArrowPixels = 80;
constexpr int kEdgeScrollMilliseconds = 16, kEdgePixels = 28, kEdgeStep = 9;
constexpr double kReadableScale = 0.62;
} // namespace

DagView::DagView(DagScene &scene, QWidget *parent)
    : QGraphicsView(&scene, parent), m_scene(scene), m_bands(*viewport()) {
  setAccessibleName(tr("Function DAG"));
  setAccessibleDescription(tr("Use the arrow keys to pan, plus and minus to zoom, F to fit the "
                              "view, and Alt with the arrow keys to walk along edges"));
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTransformationAnchor(NoAnchor);
  setResizeAnchor(AnchorViewCenter);
  setViewportUpdateMode(MinimalViewportUpdate);
  setOptimizationFlags(DontSavePainterState | DontAdjustForAntialiasing);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  viewport()->grabGesture(Qt::PinchGesture);
  viewport()->setAccessibleName(accessibleName());
  connect(&m_draft, &ViewDraft::ended, this, &DagView::repaintAll);
  m_edgeScroll.setInterval(kEdgeScrollMilliseconds);
  connect(&m_edgeScroll, &QTimer::timeout, this, &DagView::scrollAtEdge);
  connect(&m_scene, &DagScene::allChanged, this, &DagView::repaintAll);
  updateCursor();
}

void DagView::setScale(double scale) {
  m_draft.begin(nodeCount());
  setTransform(QTransform::fromScale(scale, scale));
  emit zoomChanged(scale);
  emit viewChanged();
}

void DagView::scrollContentsBy(int dx, int dy) {
  QGraphicsView::scrollContentsBy(dx, dy);
  m_bands.scrolled(dx, dy);
  emit viewChanged();
}

void DagView::zoomBy(double factor, QPointF anchor) {
  const double target = std::clamp(scale() * factor, kMinScale, kMaxScale);
  if (target == scale()) return;
  m_fitted = false;
  const QPointF before = viewportTransform().inverted().map(anchor);
  setScale(target);
  const QPointF drift = viewportTransform().map(before) - anchor;
  panBy(QPoint(int(std::lround(drift.x())), int(std::lround(drift.y()))));
}

void DagView::zoomBy(double factor) { zoomBy(factor, QRectF(viewport()->rect()).center()); }

void DagView::zoomTo(double target) { zoomBy(target / scale()); }

void DagView::fit() {
  m_fitted = true;
  const Placement placement =
      fitPlacement(m_scene.geometry().bounds, viewport()->size(), kFitMargin, kFitMaxScale);
  setScale(std::clamp(placement.scale, kMinScale, kMaxScale));
  centerOn(placement.centre);
}

bool DagView::opensWhole() const { return opening().isWhole; }

OpeningView DagView::opening() const {
  return openingView(m_scene.geometry().bounds, viewport()->size(), kFitMargin, kFitMaxScale,
                     m_direction);
}

void DagView::showOpeningView() {
  const OpeningView opening = this->opening();
  if (opening.isWhole) return fit();
  m_fitted = false;
  setScale(opening.placement.scale);
  centerOn(opening.placement.centre);
}

void DagView::reveal(std::uint32_t node) {
  if (node >= m_scene.geometry().nodes.size()) return;
  const QRectF rect = m_scene.geometry().nodes[node];
  if (scale() < kReadableScale && !m_fitted) {
    setScale(kReadableScale);
    centerOn(rect.center());
    return;
  }
  const QRect inView = mapFromScene(rect).boundingRect();
  if (viewport()->rect().adjusted(8, 8, -8, -8).contains(inView)) return;
  m_fitted = false;
  centerOn(rect.center());
}

void DagView::lookAt(QPointF scenePoint) {
  m_fitted = false;
  centerOn(scenePoint);
}

void DagView::panBy(QPoint pixels) {
  if (!pixels.isNull()) m_fitted = false;
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() + pixels.x());
  verticalScrollBar()->setValue(verticalScrollBar()->value() + pixels.y());
}

bool DagView::viewportEvent(QEvent *event) {
  if (event->type() == QEvent::Gesture) {
    auto *gestures = static_cast<QGestureEvent *>(event);
    if (auto *pinch = static_cast<QPinchGesture *>(gestures->gesture(Qt::PinchGesture))) {
      const QPointF centre = viewport()->mapFromGlobal(pinch->centerPoint());
      const QPointF moved = pinch->lastCenterPoint() - pinch->centerPoint();
      panBy(moved.toPoint());
      zoomBy(pinch->scaleFactor(), centre);
      return true;
    }
  }
  if (event->type() == QEvent::NativeGesture) {
    const auto *gesture = static_cast<QNativeGestureEvent *>(event);
    if (gesture->gestureType() == Qt::ZoomNativeGesture) {
      zoomBy(1 + gesture->value(), gesture->position());
      return true;
    }
  }
  if (event->type() == QEvent::ToolTip) {
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto node = nodeUnder(help->pos());
    if (node) {
      const DagNode &subject = m_scene.graph()->nodes[*node];
      QStringList lines{subject.title, kindText(subject.kind), subject.detail};
      if (!subject.addedAs.isEmpty()) lines[1] = subject.addedAs;
      if (*node < m_scene.places().size())
        lines << placeText(m_scene.places()[*node]) << frozenText(m_scene.places()[*node]);
      lines.removeAll({});
      QToolTip::showText(help->globalPos(), lines.join('\n'), viewport());
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return QGraphicsView::viewportEvent(event);
}

// A mouse wheel zooms at the cursor; with Shift it pans sideways. Two fingers on a touchpad pan;
// with Ctrl they zoom.
void DagView::wheelEvent(QWheelEvent *event) {
  const bool touchpad = !event->pixelDelta().isNull() && event->phase() != Qt::NoScrollPhase;
  if (touchpad && !(event->modifiers() & Qt::ControlModifier))
    panBy(-event->pixelDelta());
  else if (event->modifiers() & Qt::ShiftModifier)
    panBy({-(event->angleDelta().y() + event->angleDelta().x()), 0});
  else
    zoomBy(std::pow(kWheelStep, event->angleDelta().y() / 120.0), event->position());
  event->accept();
  hoverAt(event->position().toPoint());
}

std::optional<std::uint32_t> DagView::nodeUnder(QPoint viewportPoint) const {
  return nodeAt(m_scene.geometry(), mapToScene(viewportPoint));
}

void DagView::hoverAt(QPoint viewportPoint) {
  const auto node = nodeUnder(viewportPoint);
  if (node == m_hovered) return;
  m_hovered = node;
  updateCursor();
  emit nodeHovered(node);
}

void DagView::updateCursor() {
  viewport()->setCursor(m_dragging || isCarrying() ? Qt::ClosedHandCursor
                        : m_spaceHeld              ? Qt::OpenHandCursor
                        : m_hovered.has_value()    ? Qt::PointingHandCursor
                                                   : Qt::ArrowCursor);
}

void DagView::mousePressEvent(QMouseEvent *event) {
  if (isCarrying()) return cancelDrag(); // another button was pressed while dragging
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  m_pressed = m_last = event->position().toPoint();
  m_dragging = event->button() == Qt::MiddleButton || m_spaceHeld;
  updateCursor();
}

void DagView::mouseMoveEvent(QMouseEvent *event) {
  const QPoint now = event->position().toPoint();
  if (isCarrying()) {
    m_last = now;
    const bool isAtEdge = !viewport()
                               ->rect()
                               .adjusted(kEdgePixels, kEdgePixels, -kEdgePixels, -kEdgePixels)
                               .contains(now);
    if (isAtEdge != m_edgeScroll.isActive()) isAtEdge ? m_edgeScroll.start() : m_edgeScroll.stop();
    return emit nodeDragged(mapToScene(now));
  }
  if (!m_pressed) return hoverAt(now);
  if (!m_dragging && (now - *m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
    const auto node = m_nodesMovable ? nodeUnder(*m_pressed) : std::nullopt;
    if (node && m_scene.graph()->nodes[*node].kind > StageKind::Scalar) {
      m_carried = node;
      updateCursor();
      setFocus(); // so that this view receives Escape
      emit nodeTaken(*node, mapToScene(*m_pressed));
      return emit nodeDragged(mapToScene(now));
    }
    m_dragging = true;
    updateCursor();
  }
  if (!m_dragging) return;
  panBy(m_last - now);
  m_last = now;
}

void DagView::scrollAtEdge() {
  const auto step = [](int at, int size) {
    return at < kEdgePixels ? -kEdgeStep : at > size - kEdgePixels ? kEdgeStep : 0;
  };
  panBy({step(m_last.x(), viewport()->width()), step(m_last.y(), viewport()->height())});
  emit nodeDragged(mapToScene(m_last));
}

void DagView::cancelDrag() {
  m_edgeScroll.stop();
  m_pressed.reset();
  if (!std::exchange(m_carried, std::nullopt)) return;
  updateCursor();
  emit nodeReturned();
}

void DagView::mouseReleaseEvent(QMouseEvent *event) {
  if (isCarrying() && event->button() == Qt::LeftButton) {
    m_edgeScroll.stop();
    m_pressed.reset();
    m_carried.reset();
    updateCursor();
    return emit nodeDropped(mapToScene(event->position().toPoint()));
  }
  if (!m_pressed) return;
  const bool clicked = !m_dragging && event->button() == Qt::LeftButton;
  m_pressed.reset();
  m_dragging = false;
  updateCursor();
  if (!clicked) return hoverAt(event->position().toPoint());
  const QPointF point = mapToScene(event->position().toPoint());
  const auto node = nodeAt(m_scene.geometry(), point);
  if (!node) return emit canvasClicked();
  emit nodeClicked(*node, chipUnder(*node, point), event->modifiers() & Qt::ControlModifier);
}

std::optional<std::size_t> DagView::chipUnder(std::uint32_t node, QPointF scenePoint) const {
  if (detailAt(scale()) != Detail::Full) return std::nullopt;
  return chipAt(m_scene.geometry().nodes[node], m_scene.graph()->nodes[node].subjects.size(),
                scenePoint);
}

void DagView::contextMenuEvent(QContextMenuEvent *event) {
  if (event->reason() == QContextMenuEvent::Keyboard) return emit menuKeyPressed();
  const QPointF point = mapToScene(event->pos());
  if (const auto node = nodeAt(m_scene.geometry(), point))
    emit menuWanted(*node, chipUnder(*node, point), event->globalPos());
}

void DagView::mouseDoubleClickEvent(QMouseEvent *event) {
  if (const auto node = nodeUnder(event->position().toPoint())) emit nodeActivated(*node);
}

void DagView::keyPressEvent(QKeyEvent *event) {
  const bool alt = event->modifiers() & Qt::AltModifier;
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  const int step = shift ? viewport()->height() * 3 / 4 : kArrowPixels;
  const auto arrow = [&](QPoint pan) { alt ? emit walked(Qt::Key(event->key())) : panBy(pan); };
  switch (event->key()) {
  case Qt::Key_Left:
    return arrow({-step, 0});
  case Qt::Key_Right:
    return arrow({step, 0});
  case Qt::Key_Up:
    return arrow({0, -step});
  case Qt::Key_Down:
    return arrow({0, step});
  case Qt::Key_PageUp:
    return panBy({0, -viewport()->height() * 3 / 4});
  case Qt::Key_PageDown:
    return panBy({0, viewport()->height() * 3 / 4});
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    return zoomBy(kKeyStep);
  case Qt::Key_Minus:
    return zoomBy(1 / kKeyStep);
  case Qt::Key_F:
  case Qt::Key_Home:
    return fit();
  case Qt::Key_Escape:
    if (!isCarrying()) return QWidget::keyPressEvent(event);
    return cancelDrag();
  case Qt::Key_Space:
    if (event->isAutoRepeat()) return;
    m_spaceHeld = true;
    return updateCursor();
  default:
    QWidget::keyPressEvent(event);
  }
}

void DagView::keyReleaseEvent(QKeyEvent *event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return;
  m_spaceHeld = false;
  updateCursor();
}

void DagView::leaveEvent(QEvent *event) {
  QGraphicsView::leaveEvent(event);
  if (!m_hovered) return;
  m_hovered.reset();
  emit nodeHovered({});
}

void DagView::resizeEvent(QResizeEvent *event) {
  QGraphicsView::resizeEvent(event);
  emit viewChanged();
  if (m_fitted && m_scene.graph()) fit();
}

// Repainting a thousand nodes at once would take longer than a frame.
void DagView::repaintAll() {
  nodeCount() >= ViewDraft::kManyNodes ? m_bands.start() : viewport()->update();
}

std::size_t DagView::nodeCount() const {
  return m_scene.graph() ? m_scene.graph()->nodes.size() : 0;
}

// A palette change repaints every widget at once, so this view first paints only a sketch (see
// ViewDraft).
void DagView::changeEvent(QEvent *event) {
  QGraphicsView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_draft.begin(nodeCount(), ViewDraft::Kind::Sketch);
}

void DagView::drawBackground(QPainter *painter, const QRectF &rect) {
  m_draft.mark(*painter);
  QGraphicsView::drawBackground(painter, rect);
}

void DagView::paintEvent(QPaintEvent *event) {
  std::vector<QRectF> exposed;
  for (const QRect &rect : event->region())
    exposed.push_back(mapToScene(rect.adjusted(-1, -1, 1, 1)).boundingRect());
  m_scene.setExposed(std::move(exposed), mapToScene(viewport()->rect()).boundingRect());
  QGraphicsView::paintEvent(event);
  m_scene.setExposed({});
  m_bands.painted(event->region());
  m_draft.painted();
}

} // namespace tessera::views
