// SPDX-License-Identifier: MIT
#include "engine/schedule/edits/parts.h"

#include <algorithm>

namespace tessera::schedule {

namespace {

// Moves the references to parts of an axis from `first` inwards.
void movePartsFrom(LoopNest &nest, LoopRef first, int by) {
  const auto move = [&](LoopRef &ref) {
    if (ref.axis == first.axis && ref.part >= first.part)
      ref.part = static_cast<std::uint16_t>(ref.part + by);
  };
  for (Axis &axis : nest.axes)
    std::ranges::for_each(axis.fused, move);
  for (Loop &loop : nest.loops)
    move(loop.ref);
}

} // namespace

LoopNest resized(LoopNest nest, LoopRef part, std::int64_t size) {
  std::vector<Split> &splits = nest.axes[part.axis].splits;
  const std::int64_t inside = nest.axes[part.axis].inside(part.part);
  const std::int64_t old = std::max<std::int64_t>(1, splits[part.part - 1U].factor / inside);
  for (std::uint16_t k = 0; k < part.part; ++k)
    splits[k].factor = std::max(size * inside, splits[k].factor / old * size);
  return nest;
}

LoopNest withPart(LoopNest nest, LoopRef at, std::int64_t size, LoopKind kind, std::size_t place) {
  movePartsFrom(nest, at, 1);
  std::vector<Split> &splits = nest.axes[at.axis].splits;
  // The parts inside of the new part keep their sizes: the split between them and the new part gets
  // the factor of the old split around them.
  const std::int64_t inside = at.part > 0 && at.part <= splits.size()
                                  ? splits[at.part - 1U].factor
                                  : nest.axes[at.axis].inside(at.part);
  const bool isInnermost = at.part > splits.size();
  for (std::uint16_t k = 0; k < at.part && k < splits.size(); ++k)
    splits[k].factor *= size;
  if (isInnermost)
    splits.push_back({size, Tail::GuardWithIf});
  else
    splits.insert(splits.begin() + at.part, {inside, Tail::GuardWithIf});
  nest.loops.insert(nest.loops.begin() + static_cast<std::ptrdiff_t>(place), {at, kind});
  return nest;
}

LoopNest withoutPart(LoopNest nest, LoopRef part) {
  std::vector<Split> &splits = nest.axes[part.axis].splits;
  const std::int64_t inside = nest.axes[part.axis].inside(part.part);
  const std::int64_t size = std::max<std::int64_t>(1, splits[part.part - 1U].factor / inside);
  for (std::uint16_t k = 0; k + 1 < part.part; ++k)
    splits[k].factor = std::max<std::int64_t>(inside, splits[k].factor / size);
  splits.erase(splits.begin() + (part.part - 1));
  std::erase_if(nest.loops, [&](const Loop &loop) { return loop.ref == part; });
  movePartsFrom(nest, {part.axis, static_cast<std::uint16_t>(part.part + 1U)}, -1);
  return nest;
}

} // namespace tessera::schedule
