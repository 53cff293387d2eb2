// SPDX-License-Identifier: MIT
#include "engine/footprint/tile_sizes.h"

#include "engine/footprint/tile.h"
#include "engine/schedule/bounds/fixed_parts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace tessera::footprint {

using pipeline::Stage;
using pipeline::StageId;
using schedule::Edit;
using schedule::LoopNest;
using schedule::LoopRef;
using schedule::Schedule;

namespace {

// The numbers of iterations that are offered for a part of a split: all small numbers, and then
// each at most a quarter larger than the one before. So there is a size near the place to which an
// edge is dragged.
constexpr std::array<std::int64_t, 36> kIterations{
    1,  2,  3,  4,  5,   6,   7,   8,   10,  12,  14,  16,  20,  24,  28,  32,  40,  48,
    56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024};
constexpr std::int64_t kMostCopies = 16; // largest size of a new part, which is unrolled

// The first part of a dimension that is not fixed in one iteration of the loop at `place`.
std::uint16_t firstMoving(const LoopNest &nest, std::uint16_t dim, std::size_t place) {
  std::uint16_t part = 0;
  while (part < nest.axes[dim].parts() && schedule::isFixed(nest, {dim, part}, place))
    ++part;
  return part;
}

std::string whyNone(Level level) {
  if (level == Level::Warp)
    return "a warp is a group of a block's threads, so its tile follows from the tiles of the "
           "threads";
  if (level == Level::Grid) return "the grid always computes the whole output";
  return {};
}

std::string whyFixed(const LoopNest &nest, const TileEdge &edge, const Tile::Side &side,
                     std::size_t place) {
  if (std::string why = whyNone(edge.level); !why.empty()) return why;
  if (place == nest.loops.size())
    return edge.level == Level::Block ? "the kernel has no loop over blocks"
                                      : "the kernel has no loop over threads";
  if (edge.part.part == 0)
    return edge.name + " is not split into tiles: each " + std::string(name(edge.level)) +
           " computes all of it";
  if (side.isInterleaved)
    return "the tile has no edge to drag, because the points of neighbouring threads alternate "
           "along " +
           edge.name;
  const bool isFused =
      edge.isNew ? !nest.find({edge.loop, static_cast<std::uint16_t>(edge.part.part - 1U)})
                 : isPartlyFixed(nest, edge.part, place);
  return isFused
             ? edge.name + " is fused with another loop, so the tile size cannot be changed here"
             : std::string();
}

} // namespace

std::vector<TileEdge> tileEdges(const Schedule &schedule, const machine::Machine &machine,
                                StageId owner, Level level) {
  const Stage &stage = schedule.pipeline()->stage(owner);
  const LoopNest &nest = schedule.plan(owner).nest;
  const schedule::Bounds bounds(schedule);
  const Tile tile = tileOf(schedule, bounds, machine.limits, owner, level);
  const std::size_t place = level == Level::Block ? innermostBlock(nest) : innermostThread(nest);
  std::vector<TileEdge> edges;
  for (std::uint16_t l = 0; l < stage.loops.size(); ++l) {
    TileEdge edge{owner, level, l, stage.loops[l].name, tile.sides[l].range.extent(), {l, 0}};
    if (level == Level::Block || level == Level::Thread) {
      edge.part.part = firstMoving(nest, l, place);
      edge.isNew = edge.part.part == nest.axes[l].parts();
    }
    edge.whyNot = whyFixed(nest, edge, tile.sides[l], place);
    edges.push_back(std::move(edge));
  }
  return edges;
}

void tileSizes(const Schedule &schedule, const TileEdge &edge, const machine::Machine &machine,
               const std::stop_token &stop, const std::function<void(TileSize)> &found) {
  if (!edge.isMovable()) return;
  const Stage &stage = schedule.pipeline()->stage(edge.owner);
  const schedule::Axis &axis = schedule.plan(edge.owner).nest.axes[edge.loop];
  const std::int64_t inside = edge.isNew ? 1 : axis.inside(edge.part.part);
  const std::int64_t now = edge.isNew ? 1 : axis.splits[edge.part.part - 1U].factor;
  const auto extent =
      static_cast<std::uint64_t>(std::max<std::int64_t>(1, stage.loops[edge.loop].range.extent()));
  const auto most = static_cast<std::int64_t>(std::bit_ceil(extent));
  schedule::KnownLegality legality(machine);
  for (const std::int64_t iterations : kIterations) {
    const std::int64_t size = iterations * inside;
    if (stop.stop_requested() || size > most || (edge.isNew && iterations > kMostCopies)) return;
    if (size == now) continue;
    TileSize next{size,
                  edge.isNew ? withCopies(schedule, edge.owner, edge.loop, iterations)
                             : resized(schedule, edge.owner, edge.part, iterations),
                  std::nullopt,
                  {}};
    auto [after, violations] = applied(schedule, next.edit, schedule::Origin::User, legality);
    if (violations.empty()) {
      next.after = std::move(after);
    } else {
      next.refusal = violations.front().message;
      if (const std::string hint = violations.front().hint(); !hint.empty())
        next.refusal += "; " + hint;
    }
    found(std::move(next));
  }
}

std::vector<TileSize> tileSizes(const Schedule &schedule, const TileEdge &edge,
                                const machine::Machine &machine) {
  std::vector<TileSize> sizes;
  tileSizes(schedule, edge, machine, {}, [&](TileSize size) { sizes.push_back(std::move(size)); });
  return sizes;
}

} // namespace tessera::footprint
