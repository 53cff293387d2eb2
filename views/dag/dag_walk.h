// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_geometry.h"

#include <Qt>

#include <optional>
#include <vector>

namespace tessera::views {

// The node that an arrow key leads to. In a DAG that runs down, Up leads to the nearest producer,
// Down to the nearest consumer, Left and Right to the next node at about the same height. In a DAG
// that runs to the right, Left and Right change places with Up and Down. If there is no current
// node (`from`), each key leads to the first node.
std::optional<std::uint32_t> neighbour(const DagGraph &graph, const DagGeometry &geometry,
                                       std::optional<std::uint32_t> from, Qt::Key key,
                                       DagDirection direction = DagDirection::Down);

// The nodes whose names contain `text`, ignoring case, in the order of computation.
std::vector<std::uint32_t> nodesNamed(const DagGraph &graph, const QString &text);

} // namespace tessera::views
