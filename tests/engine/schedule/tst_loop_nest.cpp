// SPDX-License-Identifier: MIT
#include "engine/schedule/loop_nest.h"

#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

namespace tessera::schedule {
namespace {

using pipeline::kPlusInfinity;
using ::testing::ElementsAre;

// x is split into blocks of 32, and these into threads of 8. The block loop is fused with y.
LoopNest fusedBlocks() {
  LoopNest nest;
  nest.axes = {{{}, {{32}, {8}}}, {}, {{{0, 0}, {1, 0}}, {}}};
  nest.loops = {{{0, 2}, LoopKind::Serial}, {{0, 1}, LoopKind::Thread}, {{2, 0}, LoopKind::Block}};
  return nest;
}

TEST(LoopNest, ADimensionIsASerialLoop) {
  const auto pipeline = pipeline::test::sketch("func f(x y) 8 8 = \n"
                                               "update f(x y) r:0:3 = f(x; y)\n"
                                               "output f\n");
  EXPECT_EQ(testing::textOf(plainNest(pipeline->stages()[0])), "0 1 : 0.0, 1.0");
  EXPECT_EQ(testing::textOf(plainNest(pipeline->stages()[1])), "0 1 2 : 0.0, 1.0, 2.0");
}

TEST(LoopNest, FindsLoopsButNotWhatIsFusedAway) {
  const LoopNest nest = fusedBlocks();
  EXPECT_EQ(nest.find({0, 1}), 1U);
  EXPECT_EQ(nest.find({2, 0}), 2U);
  EXPECT_EQ(nest.find({1, 0}), std::nullopt); // this loop was fused into another
  EXPECT_EQ(nest.find({0, 3}), std::nullopt); // this loop does not exist
}

TEST(LoopNest, ContainsAKind) {
  EXPECT_TRUE(fusedBlocks().contains(LoopKind::Thread));
  EXPECT_FALSE(fusedBlocks().contains(LoopKind::Lane));
}

TEST(LoopNest, PartsRoundUp) {
  const Axis axis{{}, {{32}, {8}}};
  EXPECT_EQ(axis.parts(), 3);
  EXPECT_EQ(partExtent(axis, 100, 0), 4); // 4 blocks: 32 + 32 + 32 + 4
  EXPECT_EQ(partExtent(axis, 100, 1), 4);
  EXPECT_EQ(partExtent(axis, 100, 2), 8);
  EXPECT_EQ(partExtent(axis, 96, 0), 3);
  EXPECT_EQ(partExtent(Axis{}, 100, 0), 100);
}

TEST(LoopNest, ExtentsOfFusedLoopsMultiply) {
  EXPECT_THAT(loopExtents(fusedBlocks(), std::vector<std::int64_t>{100, 50}),
              ElementsAre(8, 4, 4 * 50));
}

TEST(LoopNest, ExtentsSaturate) {
  EXPECT_THAT(loopExtents(fusedBlocks(), std::vector<std::int64_t>{kPlusInfinity, 50}),
              ElementsAre(8, 4, kPlusInfinity));
}

TEST(LoopNest, KnowsTheDimensionsOfALoop) {
  LoopNest nest = fusedBlocks();
  EXPECT_THAT(dimsOf(nest, {0, 2}), ElementsAre(0));
  EXPECT_THAT(dimsOf(nest, {2, 0}), ElementsAre(0, 1));
  nest.axes.push_back({{{0, 1}, {2, 0}}, {}}); // x occurs twice, once through the first fusion
  EXPECT_THAT(dimsOf(nest, {3, 0}), ElementsAre(0, 1));
}

TEST(LoopNest, EqualityIsOfEverything) {
  const LoopNest nest = fusedBlocks();
  const auto changed = [](auto change) {
    LoopNest other = fusedBlocks();
    change(other);
    return other;
  };
  EXPECT_EQ(nest, fusedBlocks());
  EXPECT_NE(nest, changed([](LoopNest &n) { n.axes[0].splits[1].factor = 4; }));
  EXPECT_NE(nest, changed([](LoopNest &n) { n.axes[0].splits[1].tail = Tail::RoundUp; }));
  EXPECT_NE(nest, changed([](LoopNest &n) { std::swap(n.loops[0], n.loops[1]); }));
  EXPECT_NE(nest, changed([](LoopNest &n) { n.loops[0].kind = LoopKind::Unrolled; }));
  EXPECT_NE(nest, changed([](LoopNest &n) { std::swap(n.axes[2].fused[0], n.axes[2].fused[1]); }));
  EXPECT_NE(nest, changed([](LoopNest &n) { n.singleThread = true; }));
}

} // namespace
} // namespace tessera::schedule
