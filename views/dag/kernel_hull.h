// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_geometry.h"
#include "views/dag/kernel_groups.h"

#include <QPainterPath>

#include <memory>
#include <stop_token>
#include <vector>

namespace tessera::views {

// A group of nodes (see KernelGroup) with its outline in one layout.
struct KernelHull {
  KernelGroup group;
  QPainterPath path;
  QRectF bounds;
  QPointF labelAt; // the right end of the label's middle line
};
using KernelHulls = std::vector<KernelHull>; // in the order of kernelGroups()
using KernelHullsPtr = std::shared_ptr<const KernelHulls>;

// Takes milliseconds for a thousand nodes, so it does not run on the GUI thread. `before` is a
// result for the same layout; hulls of groups with the same nodes are taken over from it. Returns
// an empty pointer if it was stopped.
KernelHullsPtr makeHulls(std::vector<KernelGroup> groups, const DagGraph &graph,
                         const DagGeometry &geometry, const KernelHullsPtr &before,
                         const std::stop_token &stop);

// The smallest hull at `point`: where two hulls overlap, the user means the one that is harder to
// hit.
const KernelHull *hullAt(const KernelHulls &hulls, QPointF point);

} // namespace tessera::views
