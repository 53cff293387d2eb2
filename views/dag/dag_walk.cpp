// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_walk.h"

#include <cmath>

namespace tessera::views {

std::optional<std::uint32_t> neighbour(const DagGraph &graph, const DagGeometry &geometry,
                                       std::optional<std::uint32_t> from, Qt::Key key,
                                       DagDirection direction) {
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
  const bool isDown = direction == DagDirection::Down;
  if (key == (isDown ? Qt::Key_Up : Qt::Key_Left))
    for (const std::uint32_t edge : graph.edgesInto[*from])
      consider(graph.edges[edge].from, distanceTo(graph.edges[edge].from));
  if (key == (isDown ? Qt::Key_Down : Qt::Key_Right))
    for (const std::uint32_t edge : graph.edgesFrom[*from])
      consider(graph.edges[edge].to, distanceTo(graph.edges[edge].to));
  const Qt::Key back = isDown ? Qt::Key_Left : Qt::Key_Up;
  if (key == back || key == (isDown ? Qt::Key_Right : Qt::Key_Down)) {
    const double sign = key == back ? -1 : 1;
    for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
      const QPointF d = geometry.nodes[node].center() - here;
      const double ahead = sign * (isDown ? d.x() : d.y());
      const double aside = std::abs(isDown ? d.y() : d.x());
      if (node != *from && ahead > 0 && aside < kNodeHeight) consider(node, ahead);
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
