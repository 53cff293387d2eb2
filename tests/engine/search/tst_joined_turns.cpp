// SPDX-License-Identifier: MIT
// Members of a block whose first dimension is too short for its threads.
#include "engine/schedule/default_schedule.h"
#include "engine/schedule/legality.h"
#include "engine/search/group.h"
#include "engine/search/tile_dims.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::search {
namespace {

using pipeline::test::sketch;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::stageOf;
using schedule::testing::textOf;

// A grid of 12 values a cell, each for 16 by 16 of what reads it.
const std::string kGrid = "input in 12 64 32\n"
                          "func e(c x y) 12 64 32 = in(c; x; y)\n"
                          "func f(c x y) 12 64 32 = e(c; x; y)\n"
                          "func g(x y) 1024 512 = f([0,11]; x/16; y/16)\n"
                          "output g\n";

Group gridGroup(const Schedule &start, const Tile &tile) {
  return {funcOf(start, "g"), tile, {{funcOf(start, "f"), Placement::Block}}};
}

// And whether the tile can be told from it.
std::string nestOfGrid(const Tile &tile, bool &isTold) {
  const Schedule start = schedule::defaultSchedule(sketch(kGrid));
  const auto own = withGroup(start, {funcOf(start, "e"), Tile{}, {}});
  const auto written = own ? withGroup(*own, gridGroup(start, tile)) : std::nullopt;
  if (!written) return "refused";
  const auto violations = schedule::check(*written, {});
  EXPECT_TRUE(violations.empty()) << violations.front().message;
  isTold = tileOf(*written, groupsOf(*written).back()) == tile;
  return textOf(written->plan(stageOf(*written, "f")).nest);
}

TEST(JoinedTurns, DimensionsAreOneLoopUntilThereIsWorkForTheThreads) {
  Tile tile{{64, 4}, {1, 1}};
  bool isTold = false;
  tile.turns = Turns::Joined;
  // A block has 12 by 4 of one row: 48 of 64 threads work, not 12.
  EXPECT_EQ(nestOfGrid(tile, isTold), "0 1 2 3=0.0+1.0/64 : 3.0, 2.0, 3.1 thread");
  EXPECT_TRUE(isTold);
  tile.turns = Turns::Loops;
  EXPECT_EQ(nestOfGrid(tile, isTold), "0/64 1/4 2 : 0.1 thread, 1.1 thread, 0.0, 1.0, 2.0");
  // 12 by 2 of two rows, for 32 of threads beside each other.
  tile = {{32, 32}, {1, 1}};
  tile.turns = Turns::Joined;
  EXPECT_EQ(nestOfGrid(tile, isTold), "0 1 2/2 3=0.0+1.0/32 : 3.0, 2.0, 3.1 thread, 2.1 thread");
  EXPECT_TRUE(isTold);
  // Of 12 for 16 threads more than half work.
  tile.threads = {16, 16};
  EXPECT_EQ(nestOfGrid(tile, isTold), "0/16 1/16 2 : 0.1 thread, 1.1 thread, 0.0, 1.0, 2.0");
  EXPECT_FALSE(isTold); // as with a loop of turns
}

TEST(JoinedTurns, AreTriedWhereSomethingInTheBlocksIsNarrowerThanTheirOutput) {
  const Schedule grid = schedule::defaultSchedule(sketch(kGrid));
  EXPECT_EQ(turnChoices(*grid.pipeline(), gridGroup(grid, {})),
            (std::vector{Turns::Loops, Turns::Unrolled, Turns::Joined}));
  const Schedule blur = schedule::defaultSchedule(sketch("input in 1026 512\n"
                                                         "func f(x y) 1026 512 = in(x; y)\n"
                                                         "func g(x y) 1024 512 = f(x+[0,2]; y)\n"
                                                         "output g\n"));
  EXPECT_EQ(turnChoices(*blur.pipeline(), gridGroup(blur, {})),
            (std::vector{Turns::Loops, Turns::Unrolled}));
  Group threads = gridGroup(grid, {});
  threads.members.front().placement = Placement::Thread;
  EXPECT_EQ(turnChoices(*grid.pipeline(), threads), std::vector{Turns::Loops});
}

} // namespace
} // namespace tessera::search
