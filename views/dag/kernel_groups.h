// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/node_place.h"

#include <cstdint>
#include <vector>

namespace tessera::views {

// The nodes that one kernel computes, around which a hull is drawn. Kernels of exactly the same
// nodes, such as those of one func's updates, share a group.
struct KernelGroup {
  std::vector<int> kernels;         // ascending, from 1
  std::vector<std::uint32_t> nodes; // ascending
  double part = 0;                  // share of the predicted time of all kernels
  QString label;                    // "3 · 12 %"
  int colour = 0;                   // colour of its last kernel, which completes the funcs

  int kernel() const { return kernels.back(); }
  friend bool operator==(const KernelGroup &, const KernelGroup &) = default;
};

// Groups are in the order of their launches. An inlined node belongs to a kernel only if this
// kernel alone reads it.
std::vector<KernelGroup> kernelGroups(const std::vector<NodePlace> &places,
                                      const cost::Prediction &prediction);

QString partText(double part);             // "12 %"
QString placeText(const NodePlace &place); // "kernel 3, 12 % of the predicted time"
// What the mark of NodePlace::isFrozenBySearch means; empty if the node has none.
QString frozenText(const NodePlace &place);

} // namespace tessera::views
