// SPDX-License-Identifier: MIT
// Members of a block whose first dimension is too short for the threads of the block.
#include "engine/search/kernels/group.h"
#include "engine/search/kernels/tile_dims.h"
#include "engine/search/kernels/written_tile.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
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

// A grid with 12 values per cell. A cell serves 16 by 16 points of g.
const std::string kGrid = "input in 12 64 32\n"
                          "func e(c x y) 12 64 32 = in(c; x; y)\n"
                          "func f(c x y) 12 64 32 = e(c; x; y)\n"
                          "func g(x y) 1024 512 = f([0,11]; x/16; y/16)\n"
                          "output g\n";

// As kGrid, but the values of a cell are the outermost dimension.
const std::string kCells = "input in 64 32 12\n"
                           "func e(x y c) 64 32 12 = in(x; y; c)\n"
                           "func f(x y c) 64 32 12 = e(x; y; c)\n"
                           "func g(x y) 1024 512 = f(x/16; y/16; [0,11])\n"
                           "output g\n";

Group gridGroup(const Schedule &start, const Tile &tile) {
  return {
      funcOf(start, "g"), tile, {{funcOf(start, "f"), Placement::Block}}, start.pipeline()->ids()};
}

struct Written {
  std::string nest;    // the loop nest of f
  bool isTold = false; // whether the tile can be recovered from the nest
};

Written writtenIn(const std::string &text, const Tile &tile) {
  const Schedule start = schedule::defaultSchedule(sketch(text));
  const auto own = withGroup(start, {funcOf(start, "e"), Tile{}, {}, start.pipeline()->ids()});
  const auto written = own ? withGroup(*own, gridGroup(start, tile)) : std::nullopt;
  if (!written) return {"refused"};
  const auto violations = schedule::check(*written, {});
  EXPECT_TRUE(violations.empty()) << violations.front().message;
  return {textOf(written->plan(stageOf(*written, "f")).nest),
          tileOf(*written, groupsOf(*written).back()) == tile};
}

Tile tileOf(std::int64_t across, std::int64_t down, Turns turns) {
  Tile tile{{across, down}, {1, 1}};
  tile.turns = turns;
  return tile;
}

TEST(JoinedTurns, DimensionsAreOneLoopUntilThereIsWorkForTheThreads) {
  // A block needs the 12 values of 4 cells in one row. If the loops over values and cells are
  // joined, 48 of 64 threads have work, otherwise 12.
  const Written joined = writtenIn(kGrid, tileOf(64, 4, Turns::Joined));
  EXPECT_EQ(joined.nest, "0 1 2 3=0.0+1.0/64 : 3.0, 2.0, 3.1 thread");
  EXPECT_TRUE(joined.isTold);
  EXPECT_EQ(writtenIn(kGrid, tileOf(64, 4, Turns::Loops)).nest,
            "0/64 1/4 2 : 0.1 thread, 1.1 thread, 0.0, 1.0, 2.0");
  // A block needs the 12 values of 2 cells in each of two rows. Of 32 threads along x, 24 have
  // work, and two threads along y take the rows.
  EXPECT_EQ(writtenIn(kGrid, tileOf(32, 32, Turns::Joined)).nest,
            "0 1 2/2 3=0.0+1.0/32 : 3.0, 2.0, 3.1 thread, 2.1 thread");
  // The 12 values of one cell keep more than half of 16 threads busy, so the loops are not joined.
  const Written loops = writtenIn(kGrid, tileOf(16, 16, Turns::Joined));
  EXPECT_EQ(loops.nest, "0/16 1/16 2 : 0.1 thread, 1.1 thread, 0.0, 1.0, 2.0");
  EXPECT_FALSE(loops.isTold);
}

TEST(JoinedTurns, WhatABlockHasWholeComesFirstOrNot) {
  const Written whole = writtenIn(kCells, tileOf(32, 32, Turns::Joined));
  EXPECT_EQ(whole.nest, "0 1/2 2 3=2.0+0.0/32 : 3.0, 1.0, 3.1 thread, 1.1 thread");
  EXPECT_TRUE(whole.isTold);
  const Written inOrder = writtenIn(kCells, tileOf(32, 32, Turns::JoinedInOrder));
  EXPECT_EQ(inOrder.nest, "0 1 2 3=0.0+1.0+2.0/64/32 : 3.0, 3.2 thread, 3.1 thread");
  EXPECT_TRUE(inOrder.isTold);
}

TEST(JoinedTurns, AreTriedWhereSomethingInTheBlocksIsNarrowerThanTheirOutput) {
  const Schedule grid = schedule::defaultSchedule(sketch(kGrid));
  EXPECT_EQ(turnChoices(*grid.pipeline(), gridGroup(grid, {})),
            (std::vector{Turns::Loops, Turns::Unrolled, Turns::Joined, Turns::JoinedInOrder}));
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
