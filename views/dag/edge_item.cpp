// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/edge_item.h"

#include "views/dag/dag_style.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {

constexpr double kArrowFrom = 0.34;  // below, heads are specks
constexpr double kCoarseBelow = 0.5; // scale
// Smooth lines cost about ten times as much as plain ones; that many in one frame are affordable.
constexpr std::size_t kSmoothEdges = 160;

void appendLines(const QPolygonF &polyline, QList<QLineF> &lines) {
  for (qsizetype i = 0; i + 1 < polyline.size(); ++i)
    lines.emplace_back(polyline[i], polyline[i + 1]);
}

bool touches(const std::vector<QRectF> &rects, QPointF from, QPointF to) {
  const QRectF box = QRectF(from, to).normalized().adjusted(-2, -2, 2, 2);
  return std::ranges::any_of(rects, [&](const QRectF &rect) { return rect.intersects(box); });
}

} // namespace

EdgeItem::EdgeItem(const DagGeometry &geometry, std::shared_ptr<const DagStyle> style)
    : m_geometry(geometry), m_index(geometry.polylines, geometry.bounds),
      m_style(std::move(style)) {
  setFlag(ItemUsesExtendedStyleOption); // for exposedRect
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(-2);
}

void EdgeItem::setStyle(std::shared_ptr<const DagStyle> style) {
  m_style = std::move(style);
  update();
}

QRectF EdgeItem::boundingRect() const { return m_geometry.bounds.adjusted(-10, -10, 10, 10); }

void EdgeItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *) {
  const double scale = painter->worldTransform().m11();
  const double reach = kArrowLength + 1 / scale;
  std::vector<QRectF> exposed = m_exposed;
  if (exposed.empty()) exposed.push_back(option->exposedRect);
  std::vector<std::uint32_t> edges;
  for (QRectF &rect : exposed) {
    rect.adjust(-reach, -reach, reach, reach);
    const std::vector<std::uint32_t> here = m_index.crossing(rect);
    edges.insert(edges.end(), here.begin(), here.end());
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());

  const bool smooth = edges.size() <= kSmoothEdges;
  const bool arrows = scale >= kArrowFrom;
  const Colors &colors = m_style->colors;
  QPen pen(arrows || smooth ? colors.edge : colors.edgeFar, 0);
  if (smooth && scale > 0.5) pen.setWidthF(1.15);
  painter->setRenderHint(QPainter::Antialiasing, smooth);
  painter->setPen(pen);
  painter->setBrush(Qt::NoBrush);
  if (smooth) {
    paintSmooth(*painter, edges, exposed);
  } else {
    const auto &polylines = scale < kCoarseBelow ? m_geometry.coarse : m_geometry.polylines;
    QList<QLineF> lines;
    for (const std::uint32_t edge : edges)
      appendLines(polylines[edge], lines);
    painter->drawLines(lines);
  }
  if (!arrows) return;
  painter->setRenderHint(QPainter::Antialiasing, true);
  painter->setPen(Qt::NoPen);
  painter->setBrush(colors.edge);
  for (const std::uint32_t edge : edges)
    if (const QPointF tip = m_geometry.polylines[edge].last(); touches(exposed, tip, tip))
      painter->drawPolygon(m_geometry.arrows[edge]);
}

// A smooth line is outlined before it is filled, all of it: only the part that is exposed is drawn.
void EdgeItem::paintSmooth(QPainter &painter, const std::vector<std::uint32_t> &edges,
                           const std::vector<QRectF> &exposed) const {
  for (const std::uint32_t edge : edges) {
    const QPolygonF &line = m_geometry.polylines[edge];
    qsizetype first = -1;
    for (qsizetype i = 0; i < line.size(); ++i) {
      const bool shown = i + 1 < line.size() && touches(exposed, line[i], line[i + 1]);
      if (shown && first < 0) first = i;
      if (!shown && first >= 0) {
        painter.drawPolyline(line.constData() + first, int(i - first + 1));
        first = -1;
      }
    }
  }
}

HighlightItem::HighlightItem(const DagGeometry &geometry, std::shared_ptr<const DagStyle> style)
    : m_geometry(geometry), m_style(std::move(style)) {
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(-1);
}

void HighlightItem::setStyle(std::shared_ptr<const DagStyle> style) {
  m_style = std::move(style);
  update();
}

void HighlightItem::setEdges(std::vector<std::uint32_t> fromProducers,
                             std::vector<std::uint32_t> toConsumers) {
  if (fromProducers == m_fromProducers && toConsumers == m_toConsumers) return;
  prepareGeometryChange();
  m_fromProducers = std::move(fromProducers);
  m_toConsumers = std::move(toConsumers);
  m_bounds = {};
  for (const auto *edges : {&m_fromProducers, &m_toConsumers})
    for (const std::uint32_t edge : *edges)
      m_bounds |= m_geometry.polylines[edge].boundingRect();
  if (!m_bounds.isNull()) m_bounds.adjust(-14, -14, 14, 14);
  update();
}

void HighlightItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) {
  const Colors &colors = m_style->colors;
  const double width = std::max(2.0, 1.4 / painter->worldTransform().m11());
  painter->setRenderHint(QPainter::Antialiasing, true);
  paintEdges(*painter, m_fromProducers, QPen(colors.producer, width));
  QPen dashed(colors.consumer, width, Qt::CustomDashLine, Qt::FlatCap);
  dashed.setDashPattern({3.5, 2});
  paintEdges(*painter, m_toConsumers, dashed);
}

void HighlightItem::paintEdges(QPainter &painter, const std::vector<std::uint32_t> &edges,
                               const QPen &pen) const {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(pen);
  for (const std::uint32_t edge : edges)
    painter.drawPolyline(m_geometry.polylines[edge]);
  painter.setPen(Qt::NoPen);
  painter.setBrush(pen.color());
  const double length = std::max(kArrowLength + 1, 3.5 * pen.widthF());
  for (const std::uint32_t edge : edges)
    painter.drawPolygon(arrowHead(m_geometry.polylines[edge], length));
}

} // namespace tessera::views
