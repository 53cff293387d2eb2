// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_direction.h"

#include <utility>

namespace tessera::views {

host::GraphShape mirrored(host::GraphShape shape) {
  for (host::GraphShape::Node &node : shape.nodes)
    std::swap(node.width, node.height);
  return shape;
}

host::GraphLayout mirrored(host::GraphLayout layout) {
  const auto mirror = [](host::GraphPoint &point) { std::swap(point.x, point.y); };
  for (host::GraphPoint &centre : layout.centres)
    mirror(centre);
  for (auto &curve : layout.curves)
    for (host::GraphPoint &point : curve)
      mirror(point);
  std::swap(layout.width, layout.height);
  return layout;
}

} // namespace tessera::views
