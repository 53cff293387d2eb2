// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/tails.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>

namespace tessera::schedule {

Tail performed(Tail tail, bool inUpdate, bool isReduction) {
  if (tail != Tail::Auto) return tail;
  if (isReduction) return Tail::GuardWithIf;
  return inUpdate ? Tail::RoundUp : Tail::ShiftInwards;
}

bool roundsUp(Tail performed) {
  return performed == Tail::RoundUp || performed == Tail::RoundUpAndBlend;
}

bool shifts(Tail performed) {
  return performed == Tail::ShiftInwards || performed == Tail::ShiftInwardsAndBlend;
}

bool guards(Tail performed) { return !roundsUp(performed) && !shifts(performed); }

pipeline::Interval withTail(pipeline::Interval range, std::int64_t factor, Tail performed) {
  if (!range.bounded() || factor <= 1) return range;
  if (roundsUp(performed)) {
    const std::int64_t tiles = (range.extent() + factor - 1) / factor;
    range.max = pipeline::saturatingAdd(range.min, tiles * factor - 1);
  } else if (shifts(performed)) {
    range.min = std::min(range.min, pipeline::saturatingAdd(range.max, 1 - factor));
  }
  return range;
}

bool isRagged(const LoopNest &nest, std::uint16_t axis, std::span<const std::int64_t> dims) {
  const std::vector<Split> &splits = nest.axes[axis].splits;
  return !splits.empty() && axisExtent(nest, axis, dims) % splits.front().factor != 0;
}

bool isMultiple(const pipeline::Stage &stage, std::uint16_t dim,
                const std::vector<RegionBound> &bounds, std::int64_t size) {
  const auto arg = stage.loops[dim].argument;
  return arg && *arg < bounds.size() && bounds[*arg].modulus > 0 &&
         bounds[*arg].modulus % size == 0;
}

} // namespace tessera::schedule
