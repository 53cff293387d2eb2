// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/singleton_scan.h"

#include "tests/engine/search/mullapudi/paper_pipelines.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::StageId;
using pipeline::test::sketch;
using ::testing::ElementsAre;
using testing::kMatrixC;

SingletonScan run(const Pipeline &pipeline, FuncId func, const MullapudiParameters &parameters) {
  SingletonScan scan(pipeline, func, {}, parameters);
  while (scan.step(SIZE_MAX) > 0) {
  }
  return scan;
}

// Lines 13, 14 and 20 to 22 of listing 1, for the 32 × 32 × 32 tiles of figure 3. The loops of the
// update are r, x and y or in another order; all sizes are alike.
TEST(SingletonScan, CountsTheTilesOfFigure3) {
  const auto product = testing::paperMatMul();
  const SingletonScan scan(*product, kMatrixC, {}, {});
  EXPECT_EQ(scan.stage(), StageId{3});
  const SingletonScan::Cost cost = scan.cost({32, 32, 32});
  EXPECT_EQ(cost.untiledLoads, 17'179'869'184.); // 2 N³
  EXPECT_EQ(cost.tileLoads, 536'870'912.);       // 2 N³ / 32
  EXPECT_EQ(cost.footprintBytes, 12'288);        // 3 · 32² · 4
  EXPECT_EQ(cost.tiles, 64. * 64 * 64);
}

// The tile with the fewest loads that fits: a block of 32 × 32 has the most threads that a block
// may have. How long the steps of the reduction are makes no difference to the loads, so that the
// first size stays.
TEST(SingletonScan, TilesAMatrixProduct) {
  const auto product = testing::paperMatMul();
  const auto scan = run(*product, kMatrixC, {.maxThreadsPerBlock = 1024});
  ASSERT_TRUE(scan.best());
  const SingletonTile &best = *scan.best();
  const pipeline::Stage &stage = product->stage(best.stage);
  for (std::size_t l = 0; l < stage.loops.size(); ++l)
    EXPECT_EQ(best.sizes[l], 32) << stage.loops[l].name;
  EXPECT_EQ(best.benefit, 17'179'869'184. - 536'870'912.);
  EXPECT_EQ(best.footprintBytes, 12'288);
}

// Lines 16 to 18: a tile that is too large, and too few tiles.
TEST(SingletonScan, RefusesWhatDoesNotFit) {
  const auto product = testing::paperMatMul();
  EXPECT_FALSE(run(*product, kMatrixC, {.cacheSize = 600}).best()); // 32 × 4 × 1 has 656 bytes
  EXPECT_FALSE(run(*product, kMatrixC, {.parallelismThreshold = 1e9}).best());
  const auto small = run(*product, kMatrixC, {.maxThreadsPerBlock = 128});
  ASSERT_TRUE(small.best());
  EXPECT_EQ(small.best()->sizes[0] * small.best()->sizes[1] * small.best()->sizes[2] % 128, 0);
}

// "Pure functions […] exhibit high input locality without tiling" (section 4.2.1).
TEST(SingletonScan, LeavesPureFuncsAlone) {
  const auto blur = testing::paperBlur();
  SingletonScan scan(*blur, testing::kBlurOut, {}, {});
  EXPECT_EQ(scan.step(SIZE_MAX), 0U);
  EXPECT_FALSE(scan.best());
}

// The paper allows one update. Of several, the one with the most loads decides.
TEST(SingletonScan, TilesTheUpdateWithTheMostLoads) {
  const auto pipeline = sketch(R"(
    func a(x y) 1024 1024 = 
    func c(x y) 1024 1024 = 
    update c(x y) = c(x; y) a(x; y)
    update c(x y) r:0:1024 = c(x; y) a(r; y) a(x; r)
    update c(x y) = c(x; y) a(x; y)
    output c
  )");
  EXPECT_EQ(SingletonScan(*pipeline, FuncId{1}, {}, {}).stage(), StageId{3});
}

// A histogram has no dimension for threads, so that no block fits.
TEST(SingletonScan, LeavesAHistogramUntiled) {
  const auto pipeline = sketch(R"(
    input in 640 480
    func hist(i) 256 uint32 = 
    update hist([0,255]?) rx:0:640 ry:0:480 = hist([0,255]?) in(rx; ry)
    func out(x y) 640 480 = hist([0,255]?) in(x; y)
    output out
  )");
  EXPECT_FALSE(run(*pipeline, FuncId{0}, {}).best());
}

} // namespace
} // namespace tessera::search
