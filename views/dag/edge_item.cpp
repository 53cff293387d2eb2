// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/edge_item.h"

#include "views/dag/dag_style.h"
#include "views/dag/view_draft.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionGraphicsItem>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::views {

namespace {

constexpr double kArrowFrom = 0.34;  // below this scale, arrow heads are mere specks
constexpr double kCoarseBelow = 0.5; // below this scale, the coarse lines are drawn
// Edges are drawn smoothly if the view shows at most this many: a smooth line costs about ten times
// as much as a plain one.
constexpr std::size_t kSmoothEdges = 160;
constexpr std::size_t kLabelledEdges = 60;
// Line widths; an edge that carries more bytes is wider.
constexpr double kThinnestEdge = 1, kThickestEdge = 4.2;

bool touches(const std::vector<QRectF> &rects, QPointF from, QPointF to) {
  const QRectF box = QRectF(from, to).normalized().adjusted(-2, -2, 2, 2);
  return std::ranges::any_of(rects, [&](const QRectF &rect) { return rect.intersects(box); });
}

// Pieces out of view are dropped here, because Qt clips a long line only after it has processed
// each piece at full cost.
void appendLines(const QPolygonF &polyline, const std::vector<QRectF> &exposed,
                 QList<QLineF> &lines) {
  for (qsizetype i = 0; i + 1 < polyline.size(); ++i)
    if (touches(exposed, polyline[i], polyline[i + 1]))
      lines.emplace_back(polyline[i], polyline[i + 1]);
}

} // namespace

EdgeLabels::EdgeLabels(const DagGraph &graph, const DagGeometry &geometry) : m_geometry(geometry) {
  for (const DagEdge &edge : graph.edges)
    m_texts.push_back(edge.bytes > 0 ? bytesText(edge.bytes) : QString());
}

// The label stands half way along the edge, on a patch in the canvas's colour, so that the line
// does not cross it.
void EdgeLabels::paint(QPainter &painter, const DagStyle &style, std::uint32_t edge) const {
  const QPolygonF &line = m_geometry.polylines[edge];
  if (m_texts[edge].isEmpty() || line.size() < 2) return;
  const QPainterPath path = [&] {
    QPainterPath whole;
    whole.addPolygon(line);
    return whole;
  }();
  const QRectF text = QFontMetricsF(style.chip).boundingRect(m_texts[edge]);
  QRectF box(0, 0, text.width() + 6, text.height());
  box.moveCenter(path.pointAtPercent(0.5));
  QColor paper = style.colors.canvas;
  paper.setAlphaF(0.85F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(paper);
  painter.drawRoundedRect(box, 3, 3);
  painter.setFont(style.chip);
  painter.setPen(style.colors.faintText);
  painter.drawText(box, Qt::AlignCenter, m_texts[edge]);
}

std::vector<float> edgeWidths(const DagGraph &graph) {
  std::int64_t most = 1;
  for (const DagEdge &edge : graph.edges)
    most = std::max(most, edge.bytes);
  std::vector<float> widths;
  for (const DagEdge &edge : graph.edges)
    widths.push_back(float(kThinnestEdge + (kThickestEdge - kThinnestEdge) *
                                               std::sqrt(double(edge.bytes) / double(most))));
  return widths;
}

EdgeItem::EdgeItem(const DagGraph &graph, const DagGeometry &geometry,
                   std::shared_ptr<const DagStyle> style)
    : m_geometry(geometry), m_labels(graph, geometry), m_widths(edgeWidths(graph)),
      m_index(geometry.polylines, geometry.bounds), m_style(std::move(style)) {
  setFlag(ItemUsesExtendedStyleOption); // needed for exposedRect
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(-2);
}

void EdgeItem::setStyle(std::shared_ptr<const DagStyle> style) { m_style = std::move(style); }

bool EdgeItem::setInside(std::vector<bool> inside) {
  if (inside == m_inside) return false;
  m_inside = std::move(inside);
  return true;
}

QRectF EdgeItem::boundingRect() const { return m_geometry.bounds.adjusted(-10, -10, 10, 10); }

void EdgeItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *) {
  if (isSketch(*painter)) return;
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

  const bool draft = isDraft(*painter);
  // The number of edges in the whole view decides whether lines are smoothed. With the number in
  // the exposed area, a repainted strip could look different from its surroundings.
  const std::size_t inView = m_inView.isEmpty() ? edges.size() : m_index.crossing(m_inView).size();
  const bool smooth = inView <= kSmoothEdges && !draft;
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
    const auto &polylines =
        draft || scale < kCoarseBelow ? m_geometry.coarse : m_geometry.polylines;
    QList<QLineF> lines;
    for (const std::uint32_t edge : edges)
      appendLines(polylines[edge], exposed, lines);
    painter->drawLines(lines);
  }
  if (!arrows) return;
  painter->setRenderHint(QPainter::Antialiasing, !draft);
  painter->setPen(Qt::NoPen);
  painter->setBrush(colors.edge);
  for (const std::uint32_t edge : edges)
    if (const QPointF tip = m_geometry.polylines[edge].last(); touches(exposed, tip, tip))
      painter->drawPolygon(m_geometry.arrows[edge]);
  if (detailAt(scale) < Detail::Near || inView > kLabelledEdges) return;
  for (const std::uint32_t edge : edges)
    if (!isInside(edge)) m_labels.paint(*painter, *m_style, edge);
}

// Qt computes the outline of a smooth line over its whole length before filling it, so only the
// exposed part is passed on.
void EdgeItem::paintSmooth(QPainter &painter, const std::vector<std::uint32_t> &edges,
                           const std::vector<QRectF> &exposed) const {
  QPen pen = painter.pen();
  const double least = pen.widthF();
  for (const std::uint32_t edge : edges) {
    const QPolygonF &line = m_geometry.polylines[edge];
    const double width = isInside(edge) ? kThinnestEdge : double(m_widths[edge]);
    if (least > 0 && pen.widthF() != width) {
      pen.setWidthF(width);
      painter.setPen(pen);
    }
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

HighlightItem::HighlightItem(const DagGraph &graph, const DagGeometry &geometry,
                             std::shared_ptr<const DagStyle> style)
    : m_geometry(geometry), m_labels(graph, geometry), m_style(std::move(style)) {
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(-1);
}

void HighlightItem::setStyle(std::shared_ptr<const DagStyle> style) { m_style = std::move(style); }

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
  if (!m_bounds.isNull()) m_bounds.adjust(-40, -14, 40, 14);
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
  if (detailAt(painter->worldTransform().m11()) < Detail::Full) return;
  for (const auto *edges : {&m_fromProducers, &m_toConsumers})
    if (edges->size() <= kLabelledEdges)
      for (const std::uint32_t edge : *edges)
        m_labels.paint(*painter, *m_style, edge);
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
