// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/host/layout.h"
#include "views/dag/dag_graph.h"

#include <QPolygonF>
#include <QRectF>

#include <optional>
#include <vector>

namespace tessera::views {

// Sizes in scene units: points at 100 %.
inline constexpr double kNodeHeight = 44;
inline constexpr double kChipRowHeight = 20;
inline constexpr double kArrowLength = 9;

// How much of a node can be read at a scale: only that it is there, its name, its size, too, or all
// that was decided of it.
enum class Detail : std::uint8_t { Block, Name, Full, Near };
Detail detailAt(double scale);

// Where everything lies, as numbers; what DagScene draws.
struct DagGeometry {
  std::vector<QRectF> nodes;
  std::vector<std::vector<QPointF>> curves; // Bézier, 1 + 3·n points
  std::vector<QPolygonF> polylines;         // the same, flattened
  std::vector<QPolygonF> coarse;            // flattened for scales at which a pixel is much
  std::vector<QPolygonF> arrows;            // heads at the consumers' ends
  QRectF bounds;
};
DagGeometry makeGeometry(const DagGraph &graph, const host::GraphLayout &layout);

// Straight pieces that stay within `tolerance` of a Bézier curve; straight parts cost one piece.
QPolygonF flatten(const std::vector<QPointF> &curve, double tolerance);

// The triangle at the consumer's end of an edge.
QPolygonF arrowHead(const QPolygonF &polyline, double length);

std::optional<std::uint32_t> nodeAt(const DagGeometry &geometry, QPointF point);

// The chips of a node with several stages: as many as fit; the last one stands for the rest.
double chipRowWidth(std::size_t chips);
std::vector<QRectF> chipRects(const QRectF &node, std::size_t chips);
std::optional<std::size_t> chipAt(const QRectF &node, std::size_t chips, QPointF point);

// Scale and centre that show `bounds` in a viewport, never larger than `maxScale`.
struct Placement {
  double scale = 1;
  QPointF centre;
};
Placement fitPlacement(const QRectF &bounds, QSizeF viewport, double margin, double maxScale);

// What one sees first: everything, or where names could not be read then but a tall DAG's width
// allows it, its upper end.
struct OpeningView {
  Placement placement;
  bool isWhole = true;
};
OpeningView openingView(const QRectF &bounds, QSizeF viewport, double margin, double maxScale);

} // namespace tessera::views
