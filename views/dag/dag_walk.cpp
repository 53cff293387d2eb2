// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_walk.h"

#include <cmath>

namespace tessera::views {

std::optional<std::uint32_t> neighbour(const DagGraph &graph, const DagGeometry &geometry,
                                       std::optional<std::uint32_t> from, Qt::Key direction) {
  if (graph.nodes.empty()) return {};
  if (!from) return 0;
  const QPointF here = geometry.nodes[*from].center();
  std::optional<std::uint32_t> best;
  double bestDistance = 0;
  const auto consider = [&](std::uint32_t node, double distance) {
    if (best && distance >= bestDistance) return;
    best = node;
    bestDistance = distance;
  };
  const auto distanceTo = [&](std::uint32_t node) {
    const QPointF d = geometry.nodes[node].center() - here;
    return std::hypot(d.x(), d.y());
  };
  if (direction == Qt::Key_Up)
    for (const std::uint32_t edge : graph.edgesInto[*from])
      consider(graph.edges[edge].from, distanceTo(graph.edges[edge].from));
  if (direction == Qt::Key_Down)
    for (const std::uint32_t edge : graph.edgesFrom[*from])
      consider(graph.edges[edge].to, distanceTo(graph.edges[edge].to));
  if (direction == Qt::Key_Left || direction == Qt::Key_Right) {
    const double sign = direction == Qt::Key_Left ? -1 : 1;
    for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
      const QPointF d = geometry.nodes[node].center() - here;
      const double ahead = sign * d.x();
      if (node != *from && ahead > 0 && std::abs(d.y()) < kNodeHeight) consider(node, ahead);
    }
  }
  return best;
}

std::vector<std::uint32_t> nodesNamed(const DagGraph &graph, const QString &text) {
  std::vector<std::uint32_t> found;
  if (text.isEmpty()) return found;
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node)
    if (graph.nodes[node].title.contains(text, Qt::CaseInsensitive)) found.push_back(node);
  return found;
}

} // namespace tessera::views
