// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/merge_scan.h"

#include "tests/engine/search/mullapudi/paper_pipelines.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using ::testing::ElementsAre;
using testing::kBlurOut;
using testing::kBlurX;

MergeScan blurScan(const pipeline::Pipeline &blur, const MullapudiParameters &parameters) {
  return {blur, singleElementKernel(blur, kBlurX, {}, parameters),
          singleElementKernel(blur, kBlurOut, {}, parameters), parameters};
}

MergeScan run(MergeScan scan) {
  while (scan.step(SIZE_MAX) > 0) {
  }
  return scan;
}

// Listing 2, line by line, for a tile of 64 × 32 of the blur and LOAD_COST 10.
TEST(MergeScan, CountsTheBlur) {
  const auto blur = testing::paperBlur();
  const MullapudiParameters parameters;
  const MullapudiKernel producer = singleElementKernel(*blur, kBlurX, {}, parameters);
  const MullapudiKernel consumer = singleElementKernel(*blur, kBlurOut, {}, parameters);
  EXPECT_EQ(producer.cost(parameters), (3 + 30) * 6400. * 4802); // lines 15 and 16
  EXPECT_EQ(consumer.cost(parameters), (3 + 30) * 6400. * 4800); // lines 17 and 18
  MergeScan scan = blurScan(*blur, parameters);
  EXPECT_EQ(scan.unmergedCost(), 2'027'942'400.);                             // line 19
  EXPECT_EQ(scan.mergedCost({64, 32}), 526'680'000.);                         // lines 34 to 36
  EXPECT_EQ(scan.unmergedCost() - scan.mergedCost({64, 32}), 1'501'262'400.); // line 37
}

// 64 × 34 threads are more than a block has. Without that limit the tile above is among the best.
TEST(MergeScan, ChoosesAmongTheTilesThatFit) {
  const auto blur = testing::paperBlur();
  const auto best = run(blurScan(*blur, {.maxThreadsPerBlock = 1024})).best();
  ASSERT_FALSE(best.empty());
  for (const MergeScan::Tiling &tiling : best) {
    ASSERT_EQ(tiling.kernel.tile.size(), 2U);
    EXPECT_LE(tiling.kernel.tile[0] * (tiling.kernel.tile[1] + 2), 1024);
    EXPECT_GE(tiling.kernel.tile[0], 32); // VECTOR_WIDTH
    EXPECT_LE(tiling.benefit, best.front().benefit);
  }
  MergeScan scan = blurScan(*blur, {});
  EXPECT_EQ(best.front().benefit, scan.unmergedCost() - scan.mergedCost(best.front().kernel.tile));
  const auto wider = run(blurScan(*blur, {.maxThreadsPerBlock = 4096})).best();
  ASSERT_FALSE(wider.empty());
  EXPECT_GT(wider.front().benefit, best.front().benefit);
}

// Lines 30 to 32, and the fewest threads of section 5.4.
TEST(MergeScan, RefusesWhatDoesNotFit) {
  const auto blur = testing::paperBlur();
  EXPECT_TRUE(run(blurScan(*blur, {.cacheSize = 100})).best().empty());
  EXPECT_TRUE(run(blurScan(*blur, {.parallelismThreshold = 1e8})).best().empty());
  EXPECT_TRUE(run(blurScan(*blur, {.targetThreadsPerBlock = 2048, .maxThreadsPerBlock = 2048}))
                  .best()
                  .empty());
}

// Without a cost of loads, merging only adds arithmetic.
TEST(MergeScan, FindsNoBenefitWhereLoadsAreFree) {
  const auto blur = testing::paperBlur();
  EXPECT_TRUE(run(blurScan(*blur, {.loadCost = 0})).best().empty());
}

TEST(MergeScan, TriesOneTileIfOnlyOneIsAllowed) {
  const auto blur = testing::paperBlur();
  const MullapudiParameters parameters;
  const auto scan = run({*blur, singleElementKernel(*blur, kBlurX, {}, parameters),
                         singleElementKernel(*blur, kBlurOut, {}, parameters), parameters,
                         std::vector<std::int64_t>{32, 8}});
  ASSERT_EQ(scan.best().size(), 1U);
  EXPECT_THAT(scan.best().front().kernel.tile, ElementsAre(32, 8));
}

// Line 17 counts the arithmetic of a merged group over its whole output, without what tiles
// compute again; line 18 counts the loads of all of its tiles.
TEST(MergeScan, CountsAMergedGroupAsTheListingDoes) {
  const auto blur = testing::paperBlur();
  const MullapudiParameters parameters;
  const auto best = run(blurScan(*blur, parameters)).best();
  ASSERT_FALSE(best.empty());
  const MullapudiKernel &kernel = best.front().kernel;
  EXPECT_EQ(kernel.arithmetic, 3. * (6400. * 4802 + 6400. * 4800));
  MullapudiCost cost(*blur, kernel.group, parameters);
  EXPECT_EQ(kernel.loads, cost.tiles(kernel.tile) * cost.of(cost.tileBox(kernel.tile)).loads);
}

} // namespace
} // namespace tessera::search
