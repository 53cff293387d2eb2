// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_graph.h"
#include "views/flows/shown_schedule.h"

#include <QString>

#include <vector>

namespace tessera::views {

// Where a schedule computes a node, as its colours and its badge say it.
struct NodePlace {
  // Ascending, from 1: of its stages; of one that is inlined, of those that read it.
  std::vector<int> kernels;
  std::vector<int> ofChips; // by subject; 0: none
  QString label;            // "3"; "3–5" or "3, 5" where its stages are kernels of their own
  bool isInlined = false;
  double part = 0; // of the predicted time of all kernels

  // Whose colour it has; 0: none. Of several the last: it completes the func.
  int kernel() const { return kernels.empty() ? 0 : kernels.back(); }
  bool isSplit() const { return kernels.size() > 1 && !isInlined; }
  friend bool operator==(const NodePlace &, const NodePlace &) = default;
};

std::vector<NodePlace> nodePlaces(const DagGraph &graph, const ShownSchedule &schedule); // by node

QString kernelNumbers(const std::vector<int> &kernels); // "3", "3–5", "3, 5"

} // namespace tessera::views
