// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/mini_map.h"

#include "views/dag/dag_style.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace tessera::views {

namespace {
constexpr double kMapMargin = 8;
constexpr double kSmallest = 1.4; // least width and height of a node, in pixels
constexpr double kMaxScale = 0.25;
} // namespace

MiniMap::MiniMap(DagScene &scene, DagView &view, QWidget *parent)
    : QWidget(parent), m_scene(scene), m_view(view) {
  setObjectName(QStringLiteral("miniMap"));
  setAccessibleName(tr("Map of the DAG"));
  setAccessibleDescription(tr("Use the arrow keys to move the view"));
  setToolTip(tr("Click or drag to move the view"));
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::PointingHandCursor);
  connect(&view, &DagView::viewChanged, this, qOverload<>(&QWidget::update));
}

void MiniMap::refresh() {
  m_picture = {};
  update();
}

QTransform MiniMap::fromScene() const {
  const Placement placement =
      fitPlacement(m_scene.geometry().bounds, size(), kMapMargin, kMaxScale);
  const QPointF middle = QRectF(rect()).center();
  return QTransform::fromTranslate(-placement.centre.x(), -placement.centre.y()) *
         QTransform::fromScale(placement.scale, placement.scale) *
         QTransform::fromTranslate(middle.x(), middle.y());
}

QPointF MiniMap::toScene(QPointF pixel) const { return fromScene().inverted().map(pixel); }

QRectF MiniMap::frame() const {
  return fromScene().mapRect(m_view.mapToScene(m_view.viewport()->rect()).boundingRect());
}

void MiniMap::draw() {
  const double ratio = devicePixelRatioF();
  m_picture = QPixmap(size() * ratio);
  m_picture.setDevicePixelRatio(ratio);
  const Colors colors(palette());
  m_picture.fill(palette().color(QPalette::Window));
  if (!m_scene.graph()) return;
  QPainter painter(&m_picture);
  const QTransform place = fromScene();
  for (std::size_t i = 0; i < m_scene.geometry().nodes.size(); ++i) {
    QRectF node = place.mapRect(m_scene.geometry().nodes[i]);
    if (node.height() < kSmallest) node.setHeight(kSmallest);
    if (node.width() < kSmallest) node.setWidth(kSmallest);
    painter.fillRect(node, m_scene.blockColor(std::uint32_t(i)));
  }
}

void MiniMap::paintEvent(QPaintEvent *) {
  if (m_picture.isNull()) draw();
  QPainter painter(this);
  painter.drawPixmap(0, 0, m_picture);
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawLine(0, 0, 0, height());
  if (!m_scene.graph()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor accent = palette().color(QPalette::Highlight);
  QColor inside = accent;
  inside.setAlphaF(0.12F);
  painter.setPen(QPen(accent, hasFocus() ? 2.4 : 1.4));
  painter.setBrush(inside);
  painter.drawRoundedRect(frame().intersected(QRectF(rect()).adjusted(1, 1, -1, -1)), 2, 2);
}

void MiniMap::resizeEvent(QResizeEvent *) { refresh(); }

void MiniMap::mousePressEvent(QMouseEvent *event) {
  if (event->button() == Qt::LeftButton) m_view.lookAt(toScene(event->position()));
}

void MiniMap::mouseMoveEvent(QMouseEvent *event) {
  if (event->buttons() & Qt::LeftButton) m_view.lookAt(toScene(event->position()));
}

void MiniMap::keyPressEvent(QKeyEvent *event) { QApplication::sendEvent(&m_view, event); }

void MiniMap::wheelEvent(QWheelEvent *event) {
  m_view.zoomBy(event->angleDelta().y() > 0 ? 1.2 : 1 / 1.2);
  event->accept();
}

} // namespace tessera::views
