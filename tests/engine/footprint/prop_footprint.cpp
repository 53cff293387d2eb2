// SPDX-License-Identifier: MIT
// Footprints of random schedules: a level needs no more than the level around it, and what a block
// keeps is at least what it needs. An edge that is pulled is where it was pulled to.
#include "engine/footprint/kernel_footprint.h"
#include "engine/footprint/tile_sizes.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

namespace tessera::footprint {
namespace {

using schedule::Schedule;
using schedule::testing::Random;

constexpr std::uint64_t kSeeds = 60;

// Returns, for each loop, the number of the finer tile that lies at the beginning of `tile`.
std::vector<std::int64_t> beginningOf(const Tile &tile, const Tile &whole, const Tile &finer) {
  std::vector<std::int64_t> at;
  for (std::size_t l = 0; l < tile.sides.size(); ++l)
    at.push_back((tile.sides[l].range.min - whole.sides[l].range.min) /
                 std::max<std::int64_t>(1, finer.sides[l].range.extent()));
  return at;
}

bool isWithin(const Tile &inner, const Tile &outer) {
  for (std::size_t l = 0; l < inner.sides.size(); ++l)
    if (!outer.sides[l].range.contains(inner.sides[l].range)) return false;
  return true;
}

// Compares a finer level with the block: a tile needs all that any part of it needs. The tiles in
// the middle of the two levels lie at different places, so the finer tile is moved into the
// block's.
int expectWithinBlock(const Footprints &footprints, const KernelFootprint &kernel, Level level) {
  const std::vector<std::int64_t> at =
      beginningOf(kernel.tile(Level::Block), kernel.tile(Level::Grid), kernel.tile(level));
  const KernelFootprint moved = footprints.of(kernel.owner, at);
  if (!isWithin(moved.tile(level), kernel.tile(Level::Block))) return 0;
  for (std::size_t e = 1; e < kernel.entries.size(); ++e)
    for (std::size_t d = 0; d < kernel.entries[e].dims.size(); ++d)
      EXPECT_TRUE(kernel.entries[e]
                      .at(Level::Block)
                      .sides[d]
                      .range.contains(moved.entries[e].at(level).sides[d].range))
          << kernel.entries[e].name << " dimension " << d << " " << name(level);
  return 1;
}

// The grid needs all that a block needs, unless the block's tile goes beyond the end.
int expectWithinGrid(const KernelFootprint &kernel) {
  if (!isWithin(kernel.tile(Level::Block), kernel.tile(Level::Grid))) return 0;
  for (const Entry &entry : kernel.entries)
    for (std::size_t d = 0; d < entry.dims.size(); ++d)
      EXPECT_TRUE(
          entry.at(Level::Grid).sides[d].range.contains(entry.at(Level::Block).sides[d].range))
          << entry.name << " dimension " << d;
  return 1;
}

// Whether a func is computed once in each block.
bool isOfBlock(const Schedule &schedule, const KernelFootprint &kernel, pipeline::FuncId func) {
  const schedule::LoopNest &nest = schedule.plan(kernel.owner).nest;
  const std::size_t block = innermostBlock(nest);
  return block < nest.loops.size() &&
         schedule.plan(func).compute == schedule::Place::at(kernel.owner, nest.loops[block].ref);
}

void expectSound(const KernelFootprint &kernel, const Schedule &schedule,
                 const schedule::Bounds &bounds) {
  ASSERT_FALSE(kernel.entries.empty());
  EXPECT_EQ(kernel.entries.front().role, Role::Output);
  for (const Entry &entry : kernel.entries) {
    for (const Level level : kAllLevels)
      EXPECT_GE(entry.at(level).shared(), 0) << entry.name;
    if (entry.role != Role::Member) continue;
    EXPECT_GT(entry.storedBytes, 0) << entry.name;
    const auto func = static_cast<pipeline::FuncId>(entry.producer.index);
    if (!isOfBlock(schedule, kernel, func)) continue;
    // A func may be computed on a longer range: tails of its readers may compute more than needed.
    for (std::size_t d = 0; d < entry.dims.size(); ++d)
      EXPECT_GE(bounds.of(func).computed[d].extent(),
                entry.at(Level::Block).sides[d].range.extent())
          << entry.name << " dimension " << d;
  }
}

TEST(KernelFootprint, OfRandomSchedules) {
  std::size_t members = 0, compared = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const std::string text = schedule::testing::randomSketch(random, 4);
    const Schedule schedule =
        schedule::testing::randomSchedule(pipeline::test::sketch(text), {}, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Footprints footprints(schedule, {});
    const schedule::Bounds bounds(schedule);
    for (const pipeline::StageId owner : footprints.kernels()) {
      const KernelFootprint kernel = footprints.of(owner);
      expectSound(kernel, schedule, bounds);
      compared += static_cast<std::size_t>(expectWithinGrid(kernel));
      for (const Level level : {Level::Thread, Level::Warp})
        compared += static_cast<std::size_t>(expectWithinBlock(footprints, kernel, level));
      for (const Entry &entry : kernel.entries)
        members += entry.role == Role::Member;
    }
  }
  EXPECT_GT(members, kSeeds / 2);
  EXPECT_GT(compared, kSeeds);
}

// Moves a tile edge to each size that it offers, and returns how many of these are legal.
int expectPulled(const Schedule &schedule, const TileEdge &edge) {
  int legal = 0;
  for (const TileSize &size : tileSizes(schedule, edge, {})) {
    if (!size.after) continue;
    SCOPED_TRACE(edge.name + " " + std::to_string(size.size));
    const auto after = tileEdges(*size.after, {}, edge.owner, edge.level);
    const auto whole = tileEdges(*size.after, {}, edge.owner, Level::Grid);
    EXPECT_EQ(after.at(edge.loop).size, std::min(size.size, whole.at(edge.loop).size));
    ++legal;
  }
  return legal;
}

TEST(PropFootprint, AnEdgeIsWhereItWasPulled) {
  int pulled = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const std::string text = schedule::testing::randomSketch(random, 4);
    const Schedule schedule =
        schedule::testing::randomSchedule(pipeline::test::sketch(text), {}, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text + "\n" +
                 schedule::testing::loweredText(schedule));
    const Footprints footprints(schedule, {});
    for (const pipeline::StageId owner : footprints.kernels())
      for (const Level level : kAllLevels)
        for (const TileEdge &edge : tileEdges(schedule, {}, owner, level))
          pulled += expectPulled(schedule, edge);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(pulled, 500);
}

} // namespace
} // namespace tessera::footprint
