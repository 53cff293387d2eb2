// SPDX-License-Identifier: MIT
#include "engine/footprint/tile.h"

#include "engine/cost/load/flat_loops.h"

#include <algorithm>

namespace tessera::footprint {

using cost::divideUp;
using cost::FlatLoop;
using pipeline::Interval;
using pipeline::Stage;
using pipeline::StageId;
using schedule::Bounds;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::Schedule;

namespace {

// The index of the tile in the middle. Bounds measures the same one.
std::int64_t middleOf(std::int64_t tiles) {
  return tiles > 2 ? std::min((tiles / 2) | 1, tiles - 2) : 0;
}

template <typename IsWanted>
std::size_t innermost(const LoopNest &nest, const IsWanted &isWanted) {
  for (std::size_t l = 0; l < nest.loops.size(); ++l)
    if (isWanted(nest.loops[l].kind)) return l;
  return nest.loops.size();
}

// The loops that a tile of this level runs over, innermost first. A warp has as many iterations of
// the thread loops as it has lanes, those of the innermost thread loop first.
std::vector<FlatLoop> loopsInside(const LoopNest &nest, std::span<const FlatLoop> all, Level level,
                                  std::int64_t warp) {
  if (level == Level::Grid) return {all.begin(), all.end()};
  const std::size_t block = innermostBlock(nest), thread = innermostThread(nest);
  const std::size_t place = level == Level::Block ? block : std::min(thread, block);
  std::vector<FlatLoop> inside;
  std::int64_t lanes = level == Level::Warp ? warp : 1;
  for (FlatLoop loop : all) {
    if (loop.loop < place) {
      inside.push_back(loop);
    } else if (lanes > 1 && cost::isThread(loop.kind)) {
      const std::int64_t taken = std::min(lanes, loop.iterations);
      lanes = divideUp(lanes, loop.iterations);
      loop.iterations = taken;
      inside.push_back(loop);
    }
  }
  return inside;
}

// The distance of neighbouring threads along a dimension; 0: they do not differ there.
std::int64_t threadStep(std::span<const FlatLoop> all, std::size_t dim) {
  for (const FlatLoop &loop : all)
    if (loop.dim == dim && cost::isThread(loop.kind)) return loop.step;
  return 0;
}

Tile::Side sideOf(const Interval &whole, std::span<const FlatLoop> all,
                  std::span<const FlatLoop> inside, std::size_t dim) {
  Tile::Side side;
  std::int64_t length = 1;
  for (const FlatLoop &loop : inside)
    if (loop.dim == dim) {
      length += loop.reach();
      side.points *= loop.iterations;
    }
  const std::int64_t extent = std::max<std::int64_t>(1, whole.extent());
  length = std::min(length, extent);
  side.points = std::min(side.points, length);
  side.isInterleaved = side.points < length;
  side.count = divideUp(extent, side.points);
  side.step = side.isInterleaved ? std::max<std::int64_t>(1, threadStep(all, dim)) : length;
  side.range = {whole.min, whole.min + length - 1};
  return side;
}

// Moves a tile to its place. Of interleaved tiles, the first of a group is shown.
void place(Tile::Side &side, std::int64_t extent, std::int64_t wanted) {
  const std::int64_t length = side.range.extent();
  const std::int64_t places = side.isInterleaved ? extent / length : side.count;
  const std::int64_t index =
      wanted < 0 ? middleOf(places) : std::min(wanted, std::max<std::int64_t>(places - 1, 0));
  side.index = side.isInterleaved ? index * length / side.points : index;
  side.range.min += index * length;
  side.range.max += index * length;
}

} // namespace

std::size_t innermostBlock(const LoopNest &nest) {
  return innermost(nest, [](LoopKind kind) { return kind == LoopKind::Block; });
}

std::size_t innermostThread(const LoopNest &nest) {
  return innermost(nest, [](LoopKind kind) { return cost::isThread(kind); });
}

std::vector<Interval> Tile::ranges() const {
  std::vector<Interval> ranges;
  ranges.reserve(sides.size());
  for (const Side &side : sides)
    ranges.push_back(side.range);
  return ranges;
}

double Tile::count() const {
  double tiles = 1;
  for (const Side &side : sides)
    tiles *= static_cast<double>(side.count);
  return tiles;
}

Tile tileOf(const Schedule &schedule, const Bounds &bounds, const machine::Limits &limits,
            StageId id, Level level, std::span<const std::int64_t> at) {
  const Stage &stage = schedule.pipeline()->stage(id);
  const LoopNest &nest = schedule.plan(id).nest;
  std::vector<FlatLoop> all;
  cost::flatten(nest, bounds.of(id).dims, all);
  const std::vector<FlatLoop> inside = loopsInside(nest, all, level, limits.warpSize);
  Tile tile;
  for (std::size_t l = 0; l < stage.loops.size(); ++l) {
    const auto argument = stage.loops[l].argument;
    const Interval whole =
        argument ? bounds.of(stage.func).computed[*argument] : stage.loops[l].range;
    if (level == Level::Grid) {
      tile.sides.push_back({whole, 1, 0, whole.extent(), whole.extent(), false});
      continue;
    }
    Tile::Side side = sideOf(whole, all, inside, l);
    place(side, whole.extent(), l < at.size() ? at[l] : -1);
    tile.sides.push_back(side);
  }
  return tile;
}

} // namespace tessera::footprint
