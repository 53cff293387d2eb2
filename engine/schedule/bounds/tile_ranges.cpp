// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/tile_ranges.h"

#include "engine/schedule/bounds/fixed_parts.h"
#include "engine/schedule/bounds/tails.h"
#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace tessera::schedule {

using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::Stage;
using pipeline::StageId;

namespace {

// What Halide knows of an extent after a guard inside of a kernel. Halide does not see through a
// second guard, or through a guard after a division or a boundary condition.
Extent guarded(Extent extent) {
  if (extent == Extent::Constant || extent == Extent::Whole) return extent;
  if (extent == Extent::Adrift) return Extent::Bounded;
  return extent == Extent::Fixed ? Extent::Guarded : Extent::Unknown;
}

Tail outerTail(const Stage &stage, const LoopNest &nest, std::uint16_t dim) {
  return performed(nest.axes[dim].splits.front().tail, stage.index > 0,
                   stage.loops[dim].kind == LoopDim::Kind::Reduction);
}

// The outermost of those parts of a dimension whose index is not fixed in one iteration of the loop
// at `place`; the number of parts if all are fixed.
std::uint16_t firstMoving(const LoopNest &nest, std::uint16_t dim, std::size_t place) {
  std::uint16_t part = 0;
  while (part < nest.axes[dim].parts() && isFixed(nest, {dim, part}, place))
    ++part;
  return part;
}

// The speed of a tile along a dimension. Square roots of different primes are independent of each
// other: no sum of whole multiples of them equals another such sum. (√2 and √8 would not be.)
double speedAlong(std::uint16_t dim) {
  static constexpr std::array kPrimes{2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31,
                                      37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79};
  return std::sqrt(dim < kPrimes.size() ? kPrimes[dim] : kPrimes.back() + dim);
}

// The distance of the measured tile from the first tile.
std::int64_t before(const Interval &range, std::int64_t size, Iteration iteration,
                    std::size_t dim) {
  if (isFirst(iteration, dim) || range.empty()) return 0;
  if (iteration != Iteration::Middle) return (range.extent() - 1) / size * size;
  const std::int64_t tiles = (range.extent() + size - 1) / size;
  return tiles > 2 ? std::min((tiles / 2) | 1, tiles - 2) * size : 0;
}

} // namespace

Interval longer(Interval range, std::int64_t by) {
  if (by > 0) range.max = pipeline::saturatingAdd(range.max, by);
  return range;
}

// Inside of a kernel, a guard makes the end of a range the minimum of two ends, and Halide knows
// less about each range that follows from it.
Ranges TileRanges::withTails(const FuncPlan &plan, const Stage &stage, Depth depth, Ranges ranges) {
  const LoopNest &nest = plan.stages[stage.index].nest;
  for (std::uint16_t d = 0; d < ranges.loops.size(); ++d) {
    if (nest.axes[d].splits.empty()) continue;
    const Tail tail = outerTail(stage, nest, d);
    const std::int64_t factor = nest.axes[d].splits.front().factor;
    const Interval longest = longer(ranges.loops[d], ranges.slack[d]);
    ranges.loops[d] = withTail(ranges.loops[d], factor, tail);
    ranges.slack[d] = withTail(longest, factor, tail).extent() - ranges.loops[d].extent();
    Extent &extent = ranges.extents[d];
    if (plan.isRoot()) continue;
    // The slack grows, because other tiles may be longer than the measured one. If a guard or a
    // boundary cuts an enclosing tile, the tiles inside of it may end anywhere. And a tile that is
    // shifted inwards may begin before what its readers need.
    const bool inThread = depth == Depth::Thread;
    const bool mayMove = extent > Extent::Fixed || (shifts(tail) && extent != Extent::Constant);
    if (inThread && !guards(tail) && mayMove) ranges.slack[d] += factor - 1;
    if (guards(tail))
      extent = guarded(extent);
    else if (shifts(tail) && extent > Extent::Fixed && extent != Extent::Whole)
      extent = Extent::Unknown;
  }
  return ranges;
}

Ranges TileRanges::tileOf(StageId id, LoopRef loop, Iteration iteration, Ranges ranges,
                          std::span<const Extent> whole) const {
  const LoopNest &nest = m_schedule.plan(id).nest;
  const std::size_t place = nest.find(loop).value_or(0);
  for (std::uint16_t d = 0; d < ranges.loops.size(); ++d) {
    const Axis &axis = nest.axes[d];
    const std::uint16_t part = firstMoving(nest, d, place);
    // If the index is a remainder of a fused loop's index, and the axis is split, Halide assumes
    // the whole range. For other indices it knows nothing.
    if (isPartlyFixed(nest, {d, part}, place))
      ranges.extents[d] =
          whole[d] == Extent::Whole && !axis.splits.empty() && isRemainder(nest, {d, part})
              ? Extent::Whole
              : Extent::Unknown;
    if (part == 0) continue;
    Interval &range = ranges.loops[d];
    const std::int64_t size = part == axis.parts() ? 1 : axis.splits[part - 1].factor;
    const std::int64_t extent = range.extent();
    // `whole` may be a view of `ranges.extents`, so whole[d] is used only before ranges.extents[d]
    // is overwritten.
    ranges.shifted[d] = ranges.shifted[d] || shiftsAnywhere(id, d, whole[d], extent);
    ranges.extents[d] = isQuotient(id, d, whole)
                            ? Extent::Unknown
                            : extentOfTile(id, d, part, size, whole[d], extent);
    ranges.courses[d] = courseOfTile(id, d, part, size, ranges.courses[d], whole[d], extent);
    const std::int64_t start =
        pipeline::saturatingAdd(range.min, before(range, size, iteration, d));
    const std::int64_t most = longestTile(id, d, range, ranges.slack[d]);
    range = {start, pipeline::saturatingAdd(start, std::min(size, most) - 1)};
    ranges.slack[d] = 0;
    ranges.speed[d] = speedAlong(d);
    ranges.aligned[d] = std::gcd(ranges.aligned[d], size);
  }
  return ranges;
}

void TileRanges::addParts(const Stage &stage, const Footprint &own, const Ranges &ranges) const {
  const LoopNest &nest = m_schedule.plan(stage.func).stages[stage.index].nest;
  for (std::uint16_t d = 0; d < ranges.loops.size(); ++d) {
    const std::vector<Split> &splits = nest.axes[d].splits;
    if (splits.empty() || ranges.extents[d] < Extent::Loose) continue;
    const auto arg = stage.loops[d].argument;
    const std::int64_t longest =
        arg ? own.box[*arg].extent() + own.slack[*arg] : stage.loops[d].range.extent();
    ranges.slack[d] += std::max<std::int64_t>(0, splits.front().factor - longest);
  }
}

void TileRanges::addDoubt(const Stage &stage, const Footprint &own, const Ranges &ranges) const {
  for (std::size_t l = 0; l < stage.loops.size(); ++l) {
    const auto d = stage.loops[l].argument;
    if (!d || own.extents[*d] <= Extent::Fixed || own.extents[*d] == Extent::Whole) continue;
    if (own.box[*d].extent() + own.slack[*d] > 1) ++ranges.slack[l];
  }
}

void TileRanges::addBegun(const Stage &stage, const Footprint &own, const Footprint &asked,
                          const Footprint &begun, Depth scope, const Ranges &ranges) const {
  for (std::uint16_t l = 0; l < stage.loops.size(); ++l) {
    if (!isDoubtful(stage, l, own, scope)) continue;
    const std::size_t d = *stage.loops[l].argument;
    const Interval &in = asked.box[d], &part = own.box[d];
    const Interval &parts = roundsUp(stage, l) ? begun.box[d] : in;
    if (in.empty() || !in.bounded() || !part.bounded() || !parts.bounded()) continue;
    Interval &range = ranges.loops[l];
    range.max = std::max(range.max, range.min + std::max(in.extent(), parts.extent()) -
                                        part.extent() + in.extent() - 1);
  }
}

bool TileRanges::isDoubtful(const Stage &stage, std::uint16_t dim, const Footprint &own,
                            Depth scope) const {
  const auto d = stage.loops[dim].argument;
  if (!d || own.extents[*d] == Extent::Whole) return false;
  return (scope == Depth::Thread && own.extents[*d] == Extent::Unknown) ||
         (own.extents[*d] >= Extent::Guarded && roundsUp(stage, dim));
}

bool TileRanges::isDoubtful(const Stage &stage, const Footprint &own, Depth scope) const {
  for (std::uint16_t d = 0; d < stage.loops.size(); ++d)
    if (isDoubtful(stage, d, own, scope)) return true;
  return false;
}

bool TileRanges::roundsUp(const Stage &stage, std::uint16_t dim) const {
  const LoopNest &nest = m_schedule.plan(stage.func).stages[stage.index].nest;
  return !nest.axes[dim].splits.empty() && schedule::roundsUp(outerTail(stage, nest, dim));
}

void TileRanges::passGuards(StageId id, LoopRef loop, const Ranges &ranges) const {
  const Stage &stage = m_pipeline.stage(id);
  const LoopNest &nest = m_schedule.plan(id).nest;
  const std::size_t place = nest.find(loop).value_or(0);
  for (std::uint16_t d = 0; d < ranges.loops.size(); ++d) {
    const Axis &axis = nest.axes[d];
    if (axis.splits.empty() || !guards(outerTail(stage, nest, d))) continue;
    const std::uint16_t part = firstMoving(nest, d, place);
    if (part > 0 && part < axis.parts())
      ranges.loops[d] = withTail(ranges.loops[d], axis.splits.front().factor, Tail::RoundUp);
  }
}

// If the plan promises that the extent of the region is a multiple of a number, the last tile
// begins at a multiple of that number.
bool TileRanges::shiftsAnywhere(StageId id, std::uint16_t dim, Extent whole,
                                std::int64_t extent) const {
  const Stage &stage = m_pipeline.stage(id);
  const LoopNest &nest = m_schedule.plan(id).nest;
  const std::vector<Split> &splits = nest.axes[dim].splits;
  if (splits.empty() || !shifts(outerTail(stage, nest, dim))) return false;
  // The extent is used only for outputs. If only sizes are measured, extents of other funcs are
  // unknown, and the result must not depend on that.
  if (m_pipeline.func(stage.func).isOutput && whole == Extent::Constant)
    return extent % splits.front().factor != 0;
  return !isMultiple(stage, dim, m_schedule.plan(stage.func).bounds, 1);
}

Course TileRanges::courseOfTile(StageId id, std::uint16_t dim, std::uint16_t part,
                                std::int64_t size, Course course, Extent whole,
                                std::int64_t extent) const {
  using Ends = Course::Ends;
  const Stage &stage = m_pipeline.stage(id);
  const LoopNest &nest = m_schedule.plan(id).nest;
  const bool isPoint = part == nest.axes[dim].parts();
  const bool isConstant = whole == Extent::Constant;
  Ends ends = Ends::Together;
  std::int64_t every = size;
  const bool fits = isPoint || (isConstant && extent % nest.axes[dim].splits.front().factor == 0) ||
                    isMultiple(stage, dim, m_schedule.plan(stage.func).bounds, size);
  if (!fits) {
    const Tail tail = outerTail(stage, nest, dim);
    if (guards(tail)) ends = Ends::Cut;
    if (shifts(tail)) every = isConstant ? std::gcd(size, extent) : 1; // for the last tile
  }
  if (course.ends == Ends::Still) course.isKnown = isConstant;
  course.tile(ends, every);
  return course;
}

// The length that no tile exceeds. Inside of a kernel, a tile that a guard cuts is no longer than
// the whole range. For the root func of a kernel there is no limit, since its range depends on the
// size of the image.
std::int64_t TileRanges::longestTile(StageId id, std::uint16_t dim, const Interval &range,
                                     std::int64_t slack) const {
  const Stage &stage = m_pipeline.stage(id);
  const LoopNest &nest = m_schedule.plan(id).nest;
  const bool isCut = !m_schedule.plan(stage.func).isRoot() && !nest.axes[dim].splits.empty() &&
                     guards(outerTail(stage, nest, dim));
  return isCut && !range.empty() ? pipeline::saturatingAdd(range.extent(), slack)
                                 : pipeline::kPlusInfinity;
}

// Whether the index of a guarded tile is the index of a fused loop divided by an extent that is not
// constant. Halide then does not know which tile it is.
bool TileRanges::isQuotient(StageId id, std::uint16_t dim, std::span<const Extent> whole) const {
  const LoopNest &nest = m_schedule.plan(id).nest;
  const LoopRef outer{dim, 0};
  if (nest.find(outer) || nest.axes[dim].splits.empty() ||
      !guards(outerTail(m_pipeline.stage(id), nest, dim)))
    return false;
  for (const Axis &axis : nest.axes) {
    const auto end = std::ranges::find(axis.fused, outer);
    if (end == axis.fused.end()) continue;
    return std::any_of(axis.fused.begin(), end, [&](const LoopRef &inner) {
      return inner.part == 0 && inner.axis < whole.size() && whole[inner.axis] != Extent::Constant;
    });
  }
  return false;
}

// Whether Halide has a symbol for the end of the computed region. It has one for the end of an
// output, unless the algorithm bounds the output, for instance by (height/2)*2.
bool TileRanges::hasNamedEnd(const Stage &stage, std::uint16_t dim) const {
  const pipeline::Func &func = m_pipeline.func(stage.func);
  const auto argument = stage.loops[dim].argument;
  return func.isOutput && !(argument && func.isBounded(func.args[*argument]));
}

// A guard cuts the last tile at the end of the func. If Halide has no symbol for that end, it
// derives the end from what the readers need, and can bound the tile only sometimes: of 104 such
// tiles that were unrolled, 15 did not compile or had too many threads. It never bounds a guarded
// tile inside of another guarded tile.
Extent TileRanges::extentOfTile(StageId id, std::uint16_t dim, std::uint16_t part,
                                std::int64_t size, Extent whole, std::int64_t extent) const {
  const Stage &stage = m_pipeline.stage(id);
  const LoopNest &nest = m_schedule.plan(id).nest;
  const bool isNamed = hasNamedEnd(stage, dim);
  const bool fused = !nest.find({dim, 0});
  const std::vector<Split> &splits = nest.axes[dim].splits;
  if (whole == Extent::Constant && (splits.empty() || extent % splits.front().factor == 0))
    return Extent::Fixed; // inner factors divide the extent, too
  if (part == nest.axes[dim].parts()) return fused && !isNamed ? Extent::Unknown : Extent::Fixed;
  if (!guards(outerTail(stage, nest, dim)) ||
      isMultiple(stage, dim, m_schedule.plan(stage.func).bounds, size))
    return Extent::Fixed;
  // The end of the tile is the minimum of two expressions. If the axis has a single tile, one of
  // them is never larger than the other, and Halide keeps that one: of 4 and 4 - 4·y it keeps
  // 4 - 4·y.
  const bool isOne = whole == Extent::Constant ? size >= extent : size > extent;
  if (isOne && part > 1) return Extent::Bounded;
  if (fused) return Extent::Unknown;
  return isNamed || whole <= Extent::Fixed ? Extent::Guarded : Extent::Unknown;
}

} // namespace tessera::schedule
