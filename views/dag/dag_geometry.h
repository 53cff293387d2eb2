// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_direction.h"
#include "views/dag/dag_graph.h"
#include "engine/host/layout.h"

#include <QPolygonF>
#include <QRectF>

#include <optional>
#include <vector>

namespace tessera::views {

// Sizes are in scene units. At 100 % a unit is a pixel of the screen, or a point of a PDF page.
inline constexpr double kNodeHeight = 44;
inline constexpr double kChipRowHeight = 20;
inline constexpr double kArrowLength = 9;

// How much of a node is readable at a scale: Block, only that it exists; Name, its name; Full, its
// size as well; Near, also what the schedule decided about it.
enum class Detail : std::uint8_t { Block, Name, Full, Near };
Detail detailAt(double scale);

// The places of all nodes and edges as plain numbers. DagScene draws them.
struct DagGeometry {
  std::vector<QRectF> nodes;
  std::vector<std::vector<QPointF>> curves; // cubic Bézier curves of 1 + 3·n points
  std::vector<QPolygonF> polylines;         // the curves, flattened
  std::vector<QPolygonF> coarse;            // flattened coarsely, for small scales
  std::vector<QPolygonF> arrows;            // arrow heads at the consumers' ends
  QRectF bounds;
};
DagGeometry makeGeometry(const DagGraph &graph, const host::GraphLayout &layout);

// Straight pieces that stay within `tolerance` of a Bézier curve. A straight part becomes one
// piece.
QPolygonF flatten(const std::vector<QPointF> &curve, double tolerance);

// The triangle at the consumer's end of an edge.
QPolygonF arrowHead(const QPolygonF &polyline, double length);

std::optional<std::uint32_t> nodeAt(const DagGeometry &geometry, QPointF point);

// The chips of a node with several stages. As many as fit are drawn; the last one stands for the
// rest.
double chipRowWidth(std::size_t chips);
std::vector<QRectF> chipRects(const QRectF &node, std::size_t chips);
std::optional<std::size_t> chipAt(const QRectF &node, std::size_t chips, QPointF point);

// The scale and centre that show `bounds` in a viewport. The scale never exceeds `maxScale`.
struct Placement {
  double scale = 1;
  QPointF centre;
};
Placement fitPlacement(const QRectF &bounds, QSizeF viewport, double margin, double maxScale);

// The view right after opening. It normally shows the whole DAG. It shows only the end where the
// inputs are if names would be unreadable otherwise and the narrow side of the DAG fits at a
// readable scale.
struct OpeningView {
  Placement placement;
  bool isWhole = true;
};
OpeningView openingView(const QRectF &bounds, QSizeF viewport, double margin, double maxScale,
                        DagDirection direction = DagDirection::Down);

} // namespace tessera::views
