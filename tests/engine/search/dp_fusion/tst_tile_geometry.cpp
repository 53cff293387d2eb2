// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/tile_geometry.h"

#include <gtest/gtest.h>

namespace tessera::search {
namespace {

constexpr std::int64_t kWarpSize = 32;

// "if the tile size is (8, 4, 1), block size is (16, 8, 1), then the warp size will be (16, 2, 1)
// and the warp overlapped tile size will be (128, 8, 1)" (section 4).
TEST(TileGeometry, HasThePapersExample) {
  EXPECT_EQ(warpSizes({16, 8, 1}, kWarpSize), (Sides{16, 2, 1}));
  EXPECT_EQ(tileSides({8, 4, 1}, {16, 8, 1}, TilePer::Warp, kWarpSize), (Sides{128, 8, 1}));
}

// "the product of all the warp sizes obtained using these equations is equal to WarpSize".
TEST(TileGeometry, AWarpIsFull) {
  for (const Sides &block : {Sides{64, 4, 1}, Sides{8, 8, 8}, Sides{1, 32, 1}, Sides{2, 4, 64}})
    EXPECT_EQ(volume(warpSizes(block, kWarpSize)), kWarpSize);
}

TEST(TileGeometry, CountsTheTilesOfABlock) {
  EXPECT_EQ(tilesOfBlock({64, 4, 1}, TilePer::Warp, kWarpSize), (Sides{2, 4, 1}));
  EXPECT_EQ(tilesOfBlock({16, 8, 1}, TilePer::Warp, kWarpSize), (Sides{1, 4, 1}));
  EXPECT_EQ(tilesOfBlock({64, 4, 1}, TilePer::Block, kWarpSize), (Sides{1, 1, 1}));
}

TEST(TileGeometry, ATileOfABlockHasAllThreads) {
  EXPECT_EQ(tileSides({8, 4, 1}, {16, 8, 1}, TilePer::Block, kWarpSize), (Sides{128, 32, 1}));
}

} // namespace
} // namespace tessera::search
