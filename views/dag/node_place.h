// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_graph.h"
#include "views/models/shown_schedule.h"

#include <QString>

#include <vector>

namespace tessera::views {

// Where a schedule computes a node, as its colour and its badge say it.
struct NodePlace {
  int kernel = 0; // whose colour it has; 0: none
  QString label;  // "3"; "3–5" or "3, 5" where its stages are kernels of their own
  bool isInlined = false;

  friend bool operator==(const NodePlace &, const NodePlace &) = default;
};

// By node. Of several kernels the last gives the colour: it completes the func.
std::vector<NodePlace> nodePlaces(const DagGraph &graph, const ShownSchedule &schedule);

} // namespace tessera::views
