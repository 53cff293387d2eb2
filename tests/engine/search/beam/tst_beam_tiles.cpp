// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_tiles.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::Not;

const BeamParameters kParameters;

// Section 6.1: 1, 2, 4 and 8; of an extent of 96 also 3, which leaves 32 threads.
TEST(BeamTiles, SerialLoopsAreSmall) {
  const auto of = [](std::int64_t extent) {
    return serialSizes(std::vector<std::int64_t>{extent}, kParameters);
  };
  EXPECT_THAT(of(96),
              ElementsAre(BeamSizes{1}, BeamSizes{2}, BeamSizes{4}, BeamSizes{8}, BeamSizes{3}));
  EXPECT_THAT(of(100), ElementsAre(BeamSizes{1}, BeamSizes{2}, BeamSizes{4}, BeamSizes{8}));
  EXPECT_THAT(of(3), ElementsAre(BeamSizes{1}, BeamSizes{2}));
  EXPECT_EQ(serialSizes(std::vector<std::int64_t>{64, 64}, kParameters).size(), 16U);
}

// Section 6.2.
TEST(BeamTiles, TheInnermostDimensionIsTheFirstLongOne) {
  EXPECT_EQ(innermostDimension(std::vector<std::int64_t>{3, 16, 640}), 1U);
  EXPECT_EQ(innermostDimension(std::vector<std::int64_t>{3, 5}), 0U);
}

TEST(BeamTiles, ThreadsSuitWarps) {
  const machine::Machine machine;
  const auto all = threadSizes(std::vector<std::int64_t>{1536, 2560}, kParameters, machine.limits);
  EXPECT_EQ(all.size(), 15U); // 16, 32, 64 times 1 to 16
  EXPECT_THAT(all, Contains(BeamSizes{64, 16}));
  // Of 9 rows, blocks of 8 leave a block with a single one.
  const auto few = threadSizes(std::vector<std::int64_t>{1536, 9}, kParameters, machine.limits);
  EXPECT_THAT(few, Not(Contains(BeamSizes{32, 8})));
  EXPECT_THAT(few, Contains(BeamSizes{32, 1}));
}

// Section 6.3: twice as many blocks as multiprocessors.
TEST(BeamTiles, BlocksKeepMultiprocessorsBusy) {
  const machine::Machine machine;
  const std::vector<std::int64_t> extents{1536, 2560};
  for (const BeamTile &tile : rootTiles(extents, kParameters, machine))
    EXPECT_GE(productOf(blocksOf(extents, tile)), 2 * machine.multiprocessors);
  // Where there are too few points for that, all tiles count.
  EXPECT_FALSE(rootTiles(std::vector<std::int64_t>{40}, kParameters, machine).empty());
}

TEST(BeamTiles, LanesMayBeIdle) {
  EXPECT_EQ(idleLanes(64), 0);
  EXPECT_EQ(idleLanes(16), 0.5);
  EXPECT_EQ(idleLanes(34), 1 - 34. / 64);
}

TEST(BeamTiles, AScalarHasOneTile) {
  EXPECT_THAT(rootTiles({}, kParameters, machine::Machine()),
              Each(Field(&BeamTile::serial, BeamSizes{})));
}

} // namespace
} // namespace tessera::search
