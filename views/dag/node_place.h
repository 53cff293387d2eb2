// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_graph.h"
#include "views/flows/shown_schedule.h"

#include <QString>

#include <vector>

namespace tessera::views {

// The kernels that compute a node, as its colours and its badge show them.
struct NodePlace {
  // Ascending, from 1: the kernels of the node's stages. For an inlined node, the kernels of its
  // readers.
  std::vector<int> kernels;
  // The colour of the kernel of each chip, indexed by the node's subjects; 0: none.
  std::vector<int> chipColours;
  QString label; // "3"; "3–5" or "3, 5" if the node's stages are separate kernels
  bool isInlined = false;
  double part = 0;               // the node's share of the predicted time of all kernels
  std::vector<int> colours = {}; // the numbers of the kernels' colours
  bool isFrozenBySearch = false; // see ShownSchedule::frozenBySearch

  // The kernel that gives the node its colour, and the number of that colour; 0: none. If several
  // kernels compute the node, it is the last one, which completes the func.
  int kernel() const { return kernels.empty() ? 0 : kernels.back(); }
  int colour() const { return colours.empty() ? 0 : colours.back(); }
  bool isSplit() const { return kernels.size() > 1 && !isInlined; }
  friend bool operator==(const NodePlace &, const NodePlace &) = default;
};

// Indexed by node.
std::vector<NodePlace> nodePlaces(const DagGraph &graph, const ShownSchedule &schedule);

QString kernelNumbers(const std::vector<int> &kernels); // "3", "3–5", "3, 5"

} // namespace tessera::views
