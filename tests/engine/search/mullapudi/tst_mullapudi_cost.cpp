// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/mullapudi_cost.h"

#include "tests/engine/search/mullapudi/paper_pipelines.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::test::sketch;
using ::testing::ElementsAre;
using testing::kBlurOut;
using testing::kBlurX;
using testing::kMatrixC;

// "arith_cost", "group_tile_footprint" and "group_tile_loads" of listing 2, for the tile of 64 × 32
// of the blur: blurx has two more rows, the input two more columns as well.
TEST(MullapudiCost, CountsATileOfTheBlur) {
  const auto blur = testing::paperBlur();
  MullapudiCost cost(*blur, {kBlurOut, {kBlurX, kBlurOut}, {}}, {});
  const MullapudiRegionCost tile = cost.of(cost.tileBox(std::vector<std::int64_t>{64, 32}));
  EXPECT_EQ(tile.arithmetic, 3 * (64 * 34 + 64 * 32));
  EXPECT_EQ(tile.loads, 66 * 34);
  EXPECT_EQ(tile.footprintBytes, 64 * 34 * 4);
  EXPECT_EQ(cost.tiles(std::vector<std::int64_t>{64, 32}), 15'000); // num_tiles
  EXPECT_EQ(cost.tiles(std::vector<std::int64_t>{64, 33}), 100 * 146);
}

// A group that has not been merged loads three elements a point.
TEST(MullapudiCost, CountsSingleElements) {
  const auto blur = testing::paperBlur();
  const MullapudiRegionCost out =
      MullapudiCost(*blur, {kBlurOut, {kBlurOut}, {}}, {}).wholeInElements();
  EXPECT_EQ(out.arithmetic, 3. * 6400 * 4800);
  EXPECT_EQ(out.loads, 3. * 6400 * 4800);
  const auto product = testing::paperMatMul();
  const MullapudiRegionCost whole =
      MullapudiCost(*product, {kMatrixC, {kMatrixC}, {}}, {}).wholeInElements();
  EXPECT_EQ(whole.loads, 17'179'869'184.); // 2 N³; its own values are no input
}

// Of a table that data index, a point loads one element, and a tile at most the table.
TEST(MullapudiCost, CountsNoMoreLoadsThanThereAre) {
  const auto pipeline = sketch(R"(
    input in 640 480
    func table(i) 256 = in(i; 0)
    func out(x y) 640 480 = table([0,255]?) in(x; y)
    output out
  )");
  MullapudiCost cost(*pipeline, {FuncId{1}, {FuncId{1}}, {}}, {});
  EXPECT_EQ(cost.of(cost.tileBox(std::vector<std::int64_t>{1, 1})).loads, 1 + 1);
  EXPECT_EQ(cost.of(cost.tileBox(std::vector<std::int64_t>{64, 32})).loads, 256 + 64 * 32);
}

// Figure 5: "There is no input data reuse" from column to column, and rows share two of three rows
// of blurx. The input below blurx is shared in both directions.
TEST(MullapudiCost, FindsTheReuseOfFigure5) {
  const auto blur = testing::paperBlur();
  MullapudiCost alone(*blur, {kBlurOut, {kBlurOut}, {}}, {});
  EXPECT_THAT(alone.reuse(), ElementsAre(0, 2 * 6400));
  MullapudiCost merged(*blur, {kBlurOut, {kBlurX, kBlurOut}, {}}, {});
  EXPECT_THAT(merged.reuse(), ElementsAre(2 * 4802, 2 * 6400 + 2 * 6402));
  // Through an inlined func, which is not stored itself.
  MullapudiCost inlined(*blur, {kBlurOut, {kBlurOut}, {kBlurX}}, {});
  EXPECT_THAT(inlined.reuse(), ElementsAre(2 * 4802, 2 * 6402));
}

TEST(MullapudiCost, CountsTheThreadsOfALaunch) {
  const auto blur = testing::paperBlur();
  MullapudiCost cost(*blur, {kBlurOut, {kBlurX, kBlurOut}, {}}, {});
  cost.of(cost.tileBox(std::vector<std::int64_t>{32, 16}));
  EXPECT_EQ(cost.blockThreads({true, true}), 32 * 18);
  EXPECT_EQ(cost.blockThreads({true, false}), 32);
}

} // namespace
} // namespace tessera::search
