// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_geometry.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace tessera::views {

namespace {

constexpr double kNearFrom = 1.2;
// From this scale on, a node shows its detail text. At this scale the text is 7 px high.
constexpr double kFullFrom = 0.62;
constexpr double kNameFrom = 0.38;
constexpr double kOpeningScale = 0.8;
constexpr double kCoarseTolerance = 2.5;
constexpr double kChipWidth = 34;
constexpr double kChipGap = 4;
constexpr double kChipMargin = 14;

double distanceFromLine(QPointF p, QPointF a, QPointF b) {
  const QPointF d = b - a;
  const double length = std::hypot(d.x(), d.y());
  if (length == 0) return std::hypot(p.x() - a.x(), p.y() - a.y());
  return std::abs(d.x() * (p.y() - a.y()) - d.y() * (p.x() - a.x())) / length;
}

void flattenPiece(QPointF p0, QPointF p1, QPointF p2, QPointF p3, double tolerance, int depth,
                  QPolygonF &out) {
  if (depth == 0 ||
      (distanceFromLine(p1, p0, p3) < tolerance && distanceFromLine(p2, p0, p3) < tolerance)) {
    out << p3;
    return;
  }
  const QPointF a = (p0 + p1) / 2, b = (p1 + p2) / 2, c = (p2 + p3) / 2;
  const QPointF d = (a + b) / 2, e = (b + c) / 2, middle = (d + e) / 2;
  flattenPiece(p0, a, d, middle, tolerance, depth - 1, out);
  flattenPiece(middle, e, c, p3, tolerance, depth - 1, out);
}

// The number of chips that are drawn. If not all of them fit, the last one drawn is "+n".
std::size_t chipsThatFit(double width, std::size_t chips) {
  const double room = width - 2 * kChipMargin + kChipGap;
  const auto fit = static_cast<std::size_t>(std::max(1.0, room / (kChipWidth + kChipGap)));
  return std::min(chips, fit);
}

} // namespace

Detail detailAt(double scale) {
  return scale >= kNearFrom   ? Detail::Near
         : scale >= kFullFrom ? Detail::Full
         : scale >= kNameFrom ? Detail::Name
                              : Detail::Block;
}

QPolygonF flatten(const std::vector<QPointF> &curve, double tolerance) {
  QPolygonF out;
  if (curve.empty()) return out;
  out << curve.front();
  for (std::size_t i = 0; i + 3 < curve.size(); i += 3)
    flattenPiece(curve[i], curve[i + 1], curve[i + 2], curve[i + 3], tolerance, 6, out);
  return out;
}

QPolygonF arrowHead(const QPolygonF &polyline, double length) {
  if (polyline.size() < 2) return {};
  const QPointF tip = polyline.last();
  // The head points along the last `length` of the line, so that a short last piece does not twist
  // it.
  QPointF back = polyline.first();
  for (qsizetype i = polyline.size() - 2; i >= 0; --i) {
    back = polyline[i];
    if (QLineF(back, tip).length() >= length) break;
  }
  const QLineF line(tip, back);
  if (line.length() == 0) return {};
  const QPointF along = (back - tip) / line.length();
  const QPointF across(-along.y(), along.x());
  const QPointF base = tip + along * length;
  return QPolygonF({tip, base + across * length * 0.42, base - across * length * 0.42});
}

DagGeometry makeGeometry(const DagGraph &graph, const host::GraphLayout &layout) {
  DagGeometry geometry;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const DagNode &node = graph.nodes[i];
    const host::GraphPoint centre = layout.centres[i];
    // Nodes are placed on whole units, so that borders are sharp at 100 %.
    geometry.nodes.emplace_back(std::round(centre.x - node.width / 2),
                                std::round(centre.y - node.height / 2), std::round(node.width),
                                node.height);
    geometry.bounds |= geometry.nodes.back();
  }
  for (const auto &points : layout.curves) {
    std::vector<QPointF> curve;
    for (const host::GraphPoint &point : points)
      curve.emplace_back(point.x, point.y);
    geometry.polylines.push_back(flatten(curve, 0.4));
    geometry.coarse.push_back(flatten(curve, kCoarseTolerance));
    geometry.arrows.push_back(arrowHead(geometry.polylines.back(), kArrowLength));
    geometry.bounds |= geometry.polylines.back().boundingRect();
    geometry.curves.push_back(std::move(curve));
  }
  return geometry;
}

std::optional<std::uint32_t> nodeAt(const DagGeometry &geometry, QPointF point) {
  for (std::size_t i = 0; i < geometry.nodes.size(); ++i)
    if (geometry.nodes[i].contains(point)) return static_cast<std::uint32_t>(i);
  return {};
}

double chipRowWidth(std::size_t chips) {
  if (chips == 0) return 0;
  return double(chips) * (kChipWidth + kChipGap) - kChipGap + 2 * kChipMargin;
}

std::vector<QRectF> chipRects(const QRectF &node, std::size_t chips) {
  std::vector<QRectF> rects;
  if (chips < 2) return rects;
  const std::size_t shown = chipsThatFit(node.width(), chips);
  const double row = double(shown) * (kChipWidth + kChipGap) - kChipGap;
  const double left = node.center().x() - row / 2;
  for (std::size_t i = 0; i < shown; ++i)
    rects.emplace_back(left + double(i) * (kChipWidth + kChipGap),
                       node.bottom() - kChipRowHeight - 2, kChipWidth, kChipRowHeight - 5);
  return rects;
}

std::optional<std::size_t> chipAt(const QRectF &node, std::size_t chips, QPointF point) {
  const std::vector<QRectF> rects = chipRects(node, chips);
  for (std::size_t i = 0; i < rects.size(); ++i)
    if (rects[i].contains(point)) return i;
  return {};
}

Placement fitPlacement(const QRectF &bounds, QSizeF viewport, double margin, double maxScale) {
  const double width = std::max(1.0, viewport.width() - 2 * margin);
  const double height = std::max(1.0, viewport.height() - 2 * margin);
  const double scale =
      std::min(width / std::max(1.0, bounds.width()), height / std::max(1.0, bounds.height()));
  return {std::min(scale, maxScale), bounds.center()};
}

OpeningView openingView(const QRectF &bounds, QSizeF viewport, double margin, double maxScale,
                        DagDirection direction) {
  const Placement whole = fitPlacement(bounds, viewport, margin, maxScale);
  const bool isDown = direction == DagDirection::Down;
  const double across = isDown ? bounds.width() : bounds.height();
  const double room = (isDown ? viewport.width() : viewport.height()) - 2 * margin;
  const double byAcross = room / std::max(1.0, across);
  if (whole.scale >= kNameFrom || byAcross < kNameFrom) return {whole, true};
  const double scale = std::min(byAcross, kOpeningScale);
  const double along = (isDown ? viewport.height() : viewport.width()) - 2 * margin;
  const double half = along / scale / 2;
  const QPointF centre = isDown ? QPointF(bounds.center().x(), bounds.top() + half)
                                : QPointF(bounds.left() + half, bounds.center().y());
  return {{scale, centre}, false};
}

} // namespace tessera::views
