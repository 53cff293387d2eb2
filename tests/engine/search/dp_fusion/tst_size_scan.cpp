// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/size_scan.h"

#include "tests/engine/search/dp_fusion/fused_blur.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tessera::search {
namespace {

class BlurSizes : public ::testing::Test {
protected:
  DpCost cost(TilePer per, const DpParameters &parameters = {}) const {
    return {m_blur, m_inputs, testing::kFused, m_machine, parameters, per};
  }
  std::vector<SizeScan::Choice> best(SizeScan::Tiles tiles, TilePer per = TilePer::Block,
                                     const DpParameters &parameters = {}) const {
    SizeScan scan(cost(per, parameters), tiles, per, m_machine, parameters);
    while (scan.step()) {
    }
    return scan.best();
  }

  const schedule::Schedule m_blur = testing::fusedBlur();
  const StageInputs m_inputs = testing::blurInputs(m_blur);
  const machine::Machine m_machine = testing::gtx1080Ti();
};

// The argmin, found again by trying a share of all sizes: a few small ones.
TEST_F(BlurSizes, TakesTheLeastCost) {
  const auto all = best(SizeScan::Tiles::All);
  ASSERT_FALSE(all.empty());
  DpCost again = cost(TilePer::Block);
  EXPECT_EQ(again.of(all.front().sizes).cost, all.front().terms.cost);
  for (std::int64_t x = 1; x <= 32; ++x)
    for (std::int64_t y = 1; y <= 32; ++y)
      for (const Sides &block :
           {Sides{32, 1, 1}, Sides{64, 4, 1}, Sides{32, 8, 2}, Sides{512, 1, 1}})
        for (const int bytes : {32, 128})
          EXPECT_LE(all.front().terms.cost, again.of({{x, y, 1}, block, 0, bytes}).cost);
}

// "thread block sizes (as a multiple of WarpSize)", "tile sizes from 1 to 32 in each dimension".
TEST_F(BlurSizes, StaysInThePapersSpace) {
  for (const SizeScan::Choice &choice : best(SizeScan::Tiles::All)) {
    EXPECT_EQ(volume(choice.sizes.block) % 32, 0);
    EXPECT_LE(volume(choice.sizes.block), 1024);
    for (const std::int64_t size : choice.sizes.tile)
      EXPECT_LE(size, 32);
    EXPECT_EQ(choice.sizes.inRegisters, 0);
    EXPECT_LE(choice.terms.sharedBytes, 48 * 1024);
  }
}

TEST_F(BlurSizes, KeepsSomeBlocksTheBestFirst) {
  const auto choices = best(SizeScan::Tiles::Powers);
  ASSERT_GT(choices.size(), 1U);
  for (std::size_t i = 1; i < choices.size(); ++i) {
    EXPECT_GE(choices[i].terms.cost, choices[i - 1].terms.cost);
    EXPECT_NE(choices[i].sizes.block, choices[i - 1].sizes.block);
  }
  EXPECT_LE(best(SizeScan::Tiles::All).front().terms.cost, choices.front().terms.cost);
}

TEST_F(BlurSizes, FollowsTheLargestTile) {
  for (const SizeScan::Choice &choice : best(SizeScan::Tiles::All, TilePer::Block, {.maxTile = 3}))
    for (const std::int64_t size : choice.sizes.tile)
      EXPECT_LE(size, 3);
}

// "fracRegTile ∈ {0.0, 0.1, …, 1.0}": only tiles of warps can be in registers.
TEST_F(BlurSizes, WarpsMayKeepTheirTilesInRegisters) {
  const auto choices = best(SizeScan::Tiles::Powers, TilePer::Warp);
  ASSERT_FALSE(choices.empty());
  EXPECT_LE(choices.front().terms.cost,
            cost(TilePer::Warp).of({choices.front().sizes.tile, choices.front().sizes.block}).cost);
}

TEST_F(BlurSizes, FindNothingWhereNothingFits) {
  EXPECT_TRUE(best(SizeScan::Tiles::All, TilePer::Block, {.maxRegisters = 1}).empty());
}

} // namespace
} // namespace tessera::search
