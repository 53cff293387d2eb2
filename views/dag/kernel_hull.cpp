// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/kernel_hull.h"

#include "views/dag/hull.h"

#include <QLineF>

#include <algorithm>
#include <map>
#include <numeric>

namespace tessera::views {

namespace {

double lengthOf(const QPolygonF &line) {
  double length = 0;
  for (qsizetype i = 0; i + 1 < line.size(); ++i)
    length += QLineF(line[i], line[i + 1]).length();
  return length;
}

// The shortest edges that connect the nodes of a group: Kruskal's minimum spanning forest. Nodes
// without a path between them in the graph stay separate.
std::vector<QPolygonF> bridgesOf(const KernelGroup &group, const DagGraph &graph,
                                 const DagGeometry &geometry) {
  const auto placeOf = [&](std::uint32_t node) {
    const auto at = std::ranges::lower_bound(group.nodes, node);
    return at != group.nodes.end() && *at == node ? int(at - group.nodes.begin()) : -1;
  };
  struct Bridge {
    double length;
    std::uint32_t edge;
    int from, to;
  };
  std::vector<Bridge> inside;
  for (const std::uint32_t node : group.nodes)
    for (const std::uint32_t edge : graph.edgesInto[node])
      if (const int from = placeOf(graph.edges[edge].from); from >= 0)
        inside.push_back({lengthOf(geometry.coarse[edge]), edge, from, placeOf(node)});
  std::ranges::sort(inside, {}, [](const Bridge &b) { return std::pair(b.length, b.edge); });
  std::vector<int> treeOf(group.nodes.size());
  std::iota(treeOf.begin(), treeOf.end(), 0);
  std::vector<QPolygonF> bridges;
  for (const Bridge &bridge : inside) {
    const int a = treeOf[std::size_t(bridge.from)], b = treeOf[std::size_t(bridge.to)];
    if (a == b) continue;
    std::ranges::replace(treeOf, a, b);
    bridges.push_back(geometry.coarse[bridge.edge]);
  }
  return bridges;
}

KernelHull hullOf(KernelGroup group, const DagGraph &graph, const DagGeometry &geometry) {
  HullParts parts;
  std::vector<bool> isMember(geometry.nodes.size(), false);
  QRectF around;
  const QRectF *highest = nullptr;
  for (const std::uint32_t node : group.nodes) {
    isMember[node] = true;
    parts.members.push_back(geometry.nodes[node]);
    around |= geometry.nodes[node];
    if (!highest || geometry.nodes[node].top() < highest->top()) highest = &geometry.nodes[node];
  }
  if (group.nodes.size() > 1) {
    parts.bridges = bridgesOf(group, graph, geometry);
    for (const QPolygonF &line : parts.bridges)
      around |= line.boundingRect();
    for (std::size_t i = 0; i < geometry.nodes.size(); ++i)
      if (!isMember[i] && around.intersects(geometry.nodes[i]))
        parts.others.push_back(geometry.nodes[i]);
  }
  KernelHull hull;
  for (const QPolygonF &ring : hullAround(parts)) {
    hull.path.addPolygon(ring);
    hull.path.closeSubpath();
  }
  hull.bounds = hull.path.boundingRect();
  hull.labelAt = highest->topRight() - QPointF(2, kHullMargin);
  hull.group = std::move(group);
  return hull;
}

} // namespace

KernelHullsPtr makeHulls(std::vector<KernelGroup> groups, const DagGraph &graph,
                         const DagGeometry &geometry, const KernelHullsPtr &before,
                         const std::stop_token &stop) {
  std::map<std::vector<std::uint32_t>, const KernelHull *> known;
  if (before)
    for (const KernelHull &hull : *before)
      known.emplace(hull.group.nodes, &hull);
  auto hulls = std::make_shared<KernelHulls>();
  for (KernelGroup &group : groups) {
    if (stop.stop_requested()) return nullptr;
    if (const auto same = known.find(group.nodes); same != known.end()) {
      hulls->push_back(*same->second);
      hulls->back().group = std::move(group);
    } else {
      hulls->push_back(hullOf(std::move(group), graph, geometry));
    }
  }
  return hulls;
}

const KernelHull *hullAt(const KernelHulls &hulls, QPointF point) {
  const KernelHull *found = nullptr;
  for (const KernelHull &hull : hulls) {
    if (!hull.bounds.contains(point) || !hull.path.contains(point)) continue;
    const auto size = [](const QRectF &rect) { return rect.width() * rect.height(); };
    if (!found || size(hull.bounds) < size(found->bounds)) found = &hull;
  }
  return found;
}

} // namespace tessera::views
