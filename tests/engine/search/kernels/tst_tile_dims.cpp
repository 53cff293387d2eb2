// SPDX-License-Identifier: MIT
#include "engine/search/kernels/tile_dims.h"

#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tessera::search {
namespace {

// Returns the largest number of threads or points along a third dimension, over all tiles that are
// near a tile without a third dimension.
std::int64_t deepestNear(const std::string &text) {
  const auto start = schedule::defaultSchedule(pipeline::test::sketch(text));
  std::int64_t most = 0;
  for (const Tile &near : tilesNear(*start.pipeline(), groupsOf(start).front(), Tile{}))
    most = std::max({most, near.deepThreads, near.deepPoints});
  return most;
}

TEST(TilesNear, AskForAThirdDimensionWhereThereIsALongOne) {
  EXPECT_EQ(deepestNear("func f(x y z) 512 256 32 = \noutput f\n"), 2);
  EXPECT_EQ(deepestNear("func f(x y c) 512 256 4 = \noutput f\n"), 1);
  EXPECT_EQ(deepestNear("func f(x y) 512 256 = \noutput f\n"), 1);
}

TEST(ThirdDim, IsTheNextThatIsLongAndNoReduction) {
  const auto start = schedule::defaultSchedule(
      pipeline::test::sketch("input in 64\nfunc f(c x y n) 128 3 80 5 = \n"
                             "update f(c x y n) r:0:64 = f(c; x; y; n) in(r)\noutput f\n"));
  for (const pipeline::Stage &stage : start.pipeline()->stages()) {
    const auto dims = threadDims(stage, false);
    const std::size_t third = thirdDim(stage, dims);
    ASSERT_NE(third, kNone);
    EXPECT_EQ(stage.loops[dims[0]].name, "c");
    EXPECT_EQ(stage.loops[dims[1]].name, "y"); // not x, which is too short
    EXPECT_EQ(stage.loops[third].name, "n");
  }
}

} // namespace
} // namespace tessera::search
