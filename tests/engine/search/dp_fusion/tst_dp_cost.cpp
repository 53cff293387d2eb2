// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/dp_cost.h"

#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/search/dp_fusion/fused_blur.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tessera::search {
namespace {

using testing::kBlurY;
using testing::kFused;

class FusedBlur : public ::testing::Test {
protected:
  DpCost cost(TilePer per, const machine::Machine &machine, const DpParameters &parameters = {},
              const DpGroup &group = kFused) const {
    return {m_blur, m_inputs, group, machine, parameters, per};
  }

  const schedule::Schedule m_blur = testing::fusedBlur();
  const StageInputs m_inputs = testing::blurInputs(m_blur);
  const machine::Machine m_gtx = testing::gtx1080Ti(), m_v100 = testing::teslaV100();
};

// "with tile size 16 [...] it consumes far more shared memory (over 16KB). This limits the number
// of warps that the GPU can run concurrently, i.e., occupancy is only 62.5%" (section 3).
TEST_F(FusedBlur, TilesOf16LeaveFewWarps) {
  const DpTerms terms = cost(TilePer::Warp, m_gtx).of({{16, 1, 1}, {64, 4, 1}});
  EXPECT_EQ(terms.sharedBytes, 8 * (16 * 32 + 2) * 4); // 16,448, over 16 KB
  EXPECT_EQ(terms.blocksPerSm, 5);                     // of 98,304 bytes
  EXPECT_EQ(terms.occupancy, 0.625);
}

// "With a tile size of 16, we can store half of the tile in registers, which halves the shared
// memory usage, and leads to 100% occupancy" (section 3).
TEST_F(FusedBlur, HalfInRegistersLeavesAllWarps) {
  const DpTerms terms = cost(TilePer::Warp, m_gtx).of({{16, 1, 1}, {64, 4, 1}, 0.5});
  EXPECT_EQ(terms.sharedBytes, 16'448 / 2); // line 10
  EXPECT_EQ(terms.registers, 24 + 16 / 2);  // lines 11 and 20
  EXPECT_EQ(terms.blocksPerSm, 11);
  EXPECT_EQ(terms.occupancy, 1);
  // The part of the tile in shared memory has an overlap of its own (algorithm 1).
  EXPECT_EQ(cost(TilePer::Warp, m_gtx).of({{8, 1, 1}, {64, 4, 1}}).sharedBytes, 8'256);
}

// "This choice of tile size produces 0.8% redundant computations per warp. We can achieve fewer
// redundant computations (0.4%) with tile size 16" (section 3).
TEST_F(FusedBlur, LongTilesComputeLessAgain) {
  EXPECT_EQ(cost(TilePer::Warp, m_gtx).of({{8, 1, 1}, {64, 4, 1}}).overlap, 2. / 256);
  EXPECT_EQ(cost(TilePer::Warp, m_gtx).of({{16, 1, 1}, {64, 4, 1}}).overlap, 2. / 512);
  // A tile of a block has one overlap for its two warps along x.
  EXPECT_EQ(cost(TilePer::Block, m_gtx).of({{8, 1, 1}, {64, 4, 1}}).overlap, 2. * 4 / (512 * 4));
}

TEST_F(FusedBlur, ATileOfABlockHasOneScratchpad) {
  EXPECT_EQ(cost(TilePer::Block, m_gtx).of({{8, 1, 1}, {64, 4, 1}}).sharedBytes,
            (8 * 64 + 2) * 4 * 4);
}

// Lines 14 to 17: three loads of 32 adjacent floats for each of 8 points, each one transaction of
// 128 bytes, or four of 32. The group does not load blurx from global memory; alone, both stages
// load.
TEST_F(FusedBlur, CountsTransactions) {
  EXPECT_EQ(cost(TilePer::Block, m_gtx).of({{8, 1, 1}, {64, 4, 1}, 0, 128}).transactions, 3 * 8);
  EXPECT_EQ(cost(TilePer::Block, m_gtx).of({{8, 1, 1}, {64, 4, 1}, 0, 32}).transactions, 12 * 8);
  // A warp of 16 × 2 threads reads two rows.
  EXPECT_EQ(cost(TilePer::Block, m_gtx).of({{8, 1, 1}, {16, 8, 1}, 0, 128}).transactions, 6 * 8);
  const DpGroup alone{kBlurY, {kBlurY}};
  EXPECT_EQ(cost(TilePer::Block, m_gtx, {}, alone).of({{8, 1, 1}, {64, 4, 1}, 0, 128}).transactions,
            3 * 8);
  // TXS_PER_TILE=0.
  EXPECT_EQ(cost(TilePer::Block, m_gtx, {.transactionsPerTile = 0})
                .of({{8, 1, 1}, {64, 4, 1}, 0, 128})
                .transactions,
            3);
}

// Line 25: 484 GB/s · 32 / (28 · 128) are 4.32 GB/s a warp.
TEST_F(FusedBlur, TakesAWarpsPartOfTheBandwidth) {
  const DpTerms terms = cost(TilePer::Block, m_gtx).of({{8, 1, 1}, {64, 4, 1}});
  const double warpBw = 3 * 8 * 128 / terms.memorySeconds; // line 26
  EXPECT_NEAR(warpBw, 4.32e9, 0.005e9);
  EXPECT_DOUBLE_EQ(terms.computeSeconds, 2 * 1e-8 * 8); // line 28
  const DpTerms onV100 = cost(TilePer::Block, m_v100).of({{8, 1, 1}, {64, 4, 1}});
  EXPECT_NEAR(3 * 8 * 128 / onV100.memorySeconds, 898e9 * 32 / (80 * 64), 1);
}

// Lines 29 to 35 by hand: 256 threads of 24 registers and 8,224 bytes, of which 11 blocks fit by
// memory, but 8 by threads.
TEST_F(FusedBlur, AddsUpTheWeightedTerms) {
  const DpTerms terms = cost(TilePer::Block, m_gtx, {.weights = {50, 0.5, 45, 20, 2, 100, 1}})
                            .of({{8, 1, 1}, {64, 4, 1}});
  EXPECT_EQ(terms.sharedBytes, 8'224);
  EXPECT_EQ(terms.blocksPerSm, 11);
  EXPECT_EQ(terms.occupancy, 1);
  EXPECT_DOUBLE_EQ(terms.unallocatedShared, 1 - 8'224. * 11 / 98'304);
  EXPECT_DOUBLE_EQ(terms.unusedRegisters, 1 - 24. * 2048 / 65536);
  EXPECT_DOUBLE_EQ(terms.overlap, 2. / 512);
  EXPECT_DOUBLE_EQ(terms.extraBlocks, std::fmod(8 * 1024 * 3 / 28., 11)); // lines 6 and 34
  EXPECT_DOUBLE_EQ(terms.cost, 50 * 3 * 8 + 0.5 * 0 +
                                   45 * terms.memorySeconds / terms.computeSeconds +
                                   20 * terms.unallocatedShared + 2 * terms.unusedRegisters +
                                   100 * terms.overlap + terms.extraBlocks);
}

TEST_F(FusedBlur, IsInfiniteBeyondTheLimits) {
  // Line 12: 32 · 128 · 4 points of a block.
  EXPECT_TRUE(std::isinf(cost(TilePer::Block, m_gtx).of({{32, 1, 1}, {128, 4, 1}}).cost));
  EXPECT_TRUE(std::isfinite(cost(TilePer::Block, m_gtx).of({{16, 1, 1}, {128, 4, 1}}).cost));
  // Line 21.
  DpCost few = cost(TilePer::Block, m_gtx, {.maxRegisters = 23});
  EXPECT_TRUE(std::isinf(few.of({{8, 1, 1}, {64, 4, 1}}).cost));
  DpCost alone = cost(TilePer::Block, m_gtx, {.maxRegisters = 11}, {kBlurY, {kBlurY}});
  EXPECT_TRUE(std::isfinite(alone.of({{8, 1, 1}, {64, 4, 1}}).cost));
}

// Line 2.
TEST(DpCost, IsInfiniteWithoutConstantDependences) {
  const auto schedule = schedule::defaultSchedule(pipeline::test::sketch(R"(
    input in 100 100
    func table(x y) 100 100 = in(x; y) in(x+1; y)
    func out(x y) 100 100 = table(?; y) table(x; y)
    output out
  )"));
  StageInputs inputs;
  for (const pipeline::FuncId func : schedule.pipeline()->allFuncs()) {
    inputs.measures[func] = {8, 1e-8};
    inputs.loads[func] = loadsOf(schedule, func);
  }
  DpCost cost(schedule, inputs, {pipeline::FuncId{1}, {pipeline::FuncId{0}, pipeline::FuncId{1}}},
              {}, {}, TilePer::Block);
  EXPECT_FALSE(cost.isConstant());
  EXPECT_TRUE(std::isinf(cost.of({}).cost));
}

// A stage at half the size has half the points of a tile, and its overlap beside them.
TEST(DpCost, ScalesTheTilesOfAPyramid) {
  const auto schedule = schedule::defaultSchedule(pipeline::test::sketch(R"(
    func image(x) 2050 = 
    func half(x) 1026 = image(2*x) image(2*x+1)
    func out(x) 2048 = half(x/2) half(x/2+1)
    output out
  )"));
  StageInputs inputs;
  for (const pipeline::FuncId func : schedule.pipeline()->allFuncs()) {
    inputs.measures[func] = {8, 1e-8};
    inputs.loads[func] = loadsOf(schedule, func);
  }
  const DpGroup group{pipeline::FuncId{2}, {pipeline::FuncId{1}, pipeline::FuncId{2}}};
  DpCost cost(schedule, inputs, group, {}, {}, TilePer::Block);
  const DpTerms terms = cost.of({{2, 1, 1}, {64, 1, 1}});
  EXPECT_EQ(terms.sharedBytes, (64 + 1) * 4);
  EXPECT_EQ(terms.overlap, 1. / 128);
  EXPECT_EQ(terms.transactions, 2 * 2 * 2); // two loads of 32 threads with every second float
}

// A member without a dimension of the output is computed again by each tile along it.
TEST(DpCost, CountsWhatTilesOfOtherChannelsComputeAgain) {
  const auto schedule = schedule::defaultSchedule(pipeline::test::sketch(R"(
    input in 640 480
    func gray(x y) 640 480 = in(x; y) in(x; y)
    func out(x y c) 640 480 4 = gray(x; y) gray(x; y)
    output out
  )"));
  StageInputs inputs;
  for (const pipeline::FuncId func : schedule.pipeline()->allFuncs()) {
    inputs.measures[func] = {8, 1e-8};
    inputs.loads[func] = loadsOf(schedule, func);
  }
  const DpGroup group{pipeline::FuncId{1}, {pipeline::FuncId{0}, pipeline::FuncId{1}}};
  DpCost cost(schedule, inputs, group, {}, {}, TilePer::Block);
  EXPECT_EQ(cost.of({{1, 1, 1}, {32, 4, 4}}).overlap, 0);
  // Of 128 points of gray, three in four are for the other three channels too.
  EXPECT_EQ(cost.of({{1, 1, 1}, {32, 4, 1}}).overlap, 0.75);
  EXPECT_EQ(cost.of({{1, 1, 1}, {32, 4, 2}}).overlap, 0.5 / 2);
}

} // namespace
} // namespace tessera::search
