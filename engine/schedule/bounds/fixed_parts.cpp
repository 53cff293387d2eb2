// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/fixed_parts.h"

#include <algorithm>
#include <iterator>

namespace tessera::schedule {

bool isFixed(const LoopNest &nest, LoopRef part, std::size_t place) {
  if (const auto at = nest.find(part)) return *at >= place;
  for (std::uint16_t a = 0; a < nest.axes.size(); ++a) {
    const std::vector<LoopRef> &sources = nest.axes[a].fused;
    if (std::find(sources.begin(), sources.end(), part) == sources.end()) continue;
    for (std::uint16_t p = 0; p < nest.axes[a].parts(); ++p)
      if (!isFixed(nest, {a, p}, place)) return false;
    return true;
  }
  return false;
}

bool isPartlyFixed(const LoopNest &nest, LoopRef part, std::size_t place) {
  if (nest.find(part)) return false;
  for (std::uint16_t a = 0; a < nest.axes.size(); ++a) {
    const std::vector<LoopRef> &sources = nest.axes[a].fused;
    if (std::find(sources.begin(), sources.end(), part) == sources.end()) continue;
    for (std::uint16_t p = 0; p < nest.axes[a].parts(); ++p)
      if (isFixed(nest, {a, p}, place) || isPartlyFixed(nest, {a, p}, place)) return true;
  }
  return false;
}

bool isRemainder(const LoopNest &nest, LoopRef part) {
  return std::ranges::any_of(nest.axes, [&](const Axis &axis) {
    const auto source = std::ranges::find(axis.fused, part);
    return source != axis.fused.end() && std::next(source) != axis.fused.end();
  });
}

} // namespace tessera::schedule
