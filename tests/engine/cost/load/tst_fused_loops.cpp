// SPDX-License-Identifier: MIT
// The work of threads in a block that count through several dimensions at once.
#include "tests/engine/cost/loaded.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using testing::Loaded;

// A block needs 12 elements of f along c, 4 along x and 6 along y.
const std::string kGrid = "func f(c x y) 12 64 64 = \n"
                          "func g(x y) 64 64 = f([0,11]; x; y)\n"
                          "output g\n";
const std::string kFusedTiles = "g split x a b 4 guard_with_if | split y p q 6 guard_with_if | "
                                "reorder b q a p | gpu_threads b q | gpu_blocks a p\n"
                                "f compute_at g:a | ";

double integersOf(const std::string &loops) {
  return Loaded(kGrid, kFusedTiles + loops).stage("f").arithmetic.integer;
}

TEST(FusedLoops, EachDimensionButTheLastIsARemainder) {
  const double plain = integersOf("gpu_threads c x");
  const std::string cut = " | split t to ti 24 guard_with_if | gpu_threads ti";
  // The index of a fused loop is divided by 12, the full extent of c, which takes a product and a
  // shift. The extent 4 is only a part of the full extent 64 of x, and dividing by it takes a
  // division.
  EXPECT_DOUBLE_EQ(integersOf("fuse c x t" + cut) - plain, 5);
  EXPECT_DOUBLE_EQ(integersOf("fuse x c t" + cut) - plain, 24);
  EXPECT_DOUBLE_EQ(integersOf("fuse c x s | fuse s y t" + cut) - plain, 5 + 24);
}

TEST(FusedLoops, APlaceIsFoundOnceForAllThatALoopInsideDoes) {
  const double plain = integersOf("gpu_threads c x");
  // The loop over the six rows is inside, and each row is a body. The six bodies share one division
  // of the fused loop's index.
  EXPECT_DOUBLE_EQ(integersOf("fuse c x t | reorder y t | gpu_threads t") - plain, 5 / 6.0);
}

TEST(FusedLoops, PiecesOfALoopAreNoMoreThreadsThanItHas) {
  const Loaded grid(kGrid, kFusedTiles +
                               "fuse x y s | fuse s c t | split t to ti 256 guard_with_if | "
                               "gpu_threads ti");
  EXPECT_EQ(grid.kernel("g").blockThreads[0], 256);
}

} // namespace
} // namespace tessera::cost
