// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/dp_fusion/dp_grouping.h"

#include <functional>

namespace tessera::search::testing {

using GroupCost = std::function<double(const DpGrouping::Group &)>;

// The least cost of all partitions of a graph of at most 12 nodes: into groups that are connected
// and convex, one of which can be finished after the other. A group that is read from outside at
// more than one node has no finite cost. This tries every partition and knows nothing of how
// DpGrouping works.
double leastCost(const DpGrouping::Graph &graph, const GroupCost &cost);

// Drives a grouping to its end.
void run(DpGrouping &grouping, const GroupCost &cost);

} // namespace tessera::search::testing
