// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/mullapudi_tiles.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace tessera::search {
namespace {

using Sizes = std::vector<std::int64_t>;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Not;

std::vector<Sizes> tiles(const Sizes &extents, const std::vector<double> &reuse) {
  return mullapudiTiles(extents, reuse, {});
}

// "n-D hypercubes or n-D volumes elongated in the dimensions of greatest output function reuse".
TEST(MullapudiTiles, AreHypercubesAndElongated) {
  const auto all = tiles({2000, 1000, 600}, {1, 0, 9});
  EXPECT_THAT(all, Contains(Sizes{64, 64, 64}));
  EXPECT_THAT(all, Contains(Sizes{32, 32, 128}));      // along the greatest reuse
  EXPECT_THAT(all, Contains(Sizes{128, 8, 128}));      // along the two greatest
  EXPECT_THAT(all, Not(Contains(Sizes{32, 128, 32}))); // not along the least
  EXPECT_THAT(all, Not(Contains(Sizes{64, 64, 32})));
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size());
}

// "We further require tile sizes to have a minimum extent in the output functions innermost
// dimension […] a small multiple of the target machine vector width": VECTOR_WIDTH is that.
TEST(MullapudiTiles, AreWideInTheInnermostDimension) {
  for (const Sizes &tile : tiles({2000, 1000}, {0, 5}))
    EXPECT_GE(tile[0], 32);
  EXPECT_THAT(tiles({2000, 1000}, {0, 5}), Contains(Sizes{32, 4}));
}

TEST(MullapudiTiles, EndWithTheOutput) {
  EXPECT_THAT(tiles({20, 3}, {0, 5}), ElementsAre(Sizes{20, 1}, Sizes{20, 3}));
  EXPECT_THAT(tiles({1}, {0}), ElementsAre(Sizes{1}));
  EXPECT_EQ(tiles({}, {}).size(), 1U);
}

TEST(MullapudiTiles, HaveThreadsInUpToThreeDimensions) {
  EXPECT_THAT(tileThreads(Sizes{32, 1, 4, 4, 4}), ElementsAre(true, false, true, true, false));
  EXPECT_THAT(tileThreads(Sizes{1, 1}), Each(false));
}

// TARGET_THREADS_PER_BLOCK is 128, VECTOR_WIDTH 32.
TEST(MullapudiTiles, FillABlockWhereTheAlgorithmHasNoTile) {
  const auto block = [](const Sizes &extents) { return untiledBlock(extents, {}); };
  EXPECT_THAT(block({1536, 2560, 3}), ElementsAre(32, 4, 1));
  EXPECT_THAT(block({1536, 2}), ElementsAre(64, 2));
  EXPECT_THAT(block({1536}), ElementsAre(128));
  EXPECT_THAT(block({3, 1536}), ElementsAre(4, 32));
  EXPECT_THAT(block({5}), ElementsAre(8));
  EXPECT_TRUE(block({}).empty());
}

TEST(MullapudiTiles, SortDimensionsByReuse) {
  EXPECT_THAT(byReuse(std::vector<double>{1, 5, 1, 9}), ElementsAre(3, 1, 0, 2));
}

} // namespace
} // namespace tessera::search
