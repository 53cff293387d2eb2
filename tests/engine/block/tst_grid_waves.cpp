// SPDX-License-Identifier: MIT
#include "tests/engine/block/blocked.h"

#include <gtest/gtest.h>

namespace tessera::block {
namespace {

using testing::Blocked;

GridWaves gridOf(int width, std::int64_t multiprocessors) {
  machine::Machine machine;
  machine.multiprocessors = multiprocessors;
  machine.sm.registers *= 4; // threads alone limit the blocks, however registers are estimated
  return Blocked("input in " + std::to_string(width) + " 64\nfunc f(x y) " + std::to_string(width) +
                     " 64 = in(x; y)\noutput f\n",
                 "f split x xo xi 32 guard_with_if | split y yo yi 32 guard_with_if | "
                 "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo",
                 machine)
      .of("f")
      .grid;
}

TEST(GridWaves, BlocksOfAWaveAndTheTail) {
  // A block has 1,024 threads, so two blocks fit on a multiprocessor, which has 2,048.
  const GridWaves grid = gridOf(1000, 10);
  EXPECT_EQ(grid.blocks, (std::array<std::int64_t, 3>{32, 2, 1}));
  EXPECT_EQ(grid.all(), 64);
  EXPECT_EQ(grid.resident(), 2);
  EXPECT_EQ(grid.perWave(), 20);
  EXPECT_EQ(grid.waves(), 4);
  EXPECT_EQ(grid.fullWaves(), 3);
  EXPECT_EQ(grid.tail(), 4);
  EXPECT_DOUBLE_EQ(grid.filled(), 64 / 80.0);
  EXPECT_EQ(grid.waveOf(19), 0);
  EXPECT_EQ(grid.waveOf(20), 1);
  EXPECT_EQ(grid.waveOf(63), 3);
}

TEST(GridWaves, TheLastBlockOfASideMayBeAPart) {
  const GridWaves grid = gridOf(1000, 10);
  ASSERT_EQ(grid.sides.size(), 2u);
  EXPECT_EQ(grid.sides[0].covers, 32);
  EXPECT_EQ(grid.sides[0].last(), 1000 - 31 * 32);
  EXPECT_EQ(grid.sides[1].last(), 32);
}

TEST(GridWaves, BlocksOfAFusedLoopAreThoseThatAreLaunched) {
  // 300 iterations in blocks of 32 are 10 blocks. The cost model counts 4 along x times 3 along y.
  const GridWaves grid = Blocked("input in 100 3\nfunc f(x y) 100 3 = in(x; y)\noutput f\n",
                                 "f fuse x y a | split a b c 32 guard_with_if | gpu_threads c | "
                                 "gpu_blocks b")
                             .of("f")
                             .grid;
  EXPECT_EQ(grid.blocks, (std::array<std::int64_t, 3>{10, 1, 1}));
  ASSERT_EQ(grid.sides.size(), 1u);
  EXPECT_EQ(grid.sides[0].covers, 0);
  EXPECT_EQ(grid.sides[0].last(), 0);
}

TEST(GridWaves, AWaveThatIsFullHasNoTail) {
  const GridWaves grid = gridOf(1024, 8);
  EXPECT_EQ(grid.waves(), 4);
  EXPECT_EQ(grid.tail(), 0);
  EXPECT_DOUBLE_EQ(grid.filled(), 1);
}

} // namespace
} // namespace tessera::block
