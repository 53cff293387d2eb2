// SPDX-License-Identifier: MIT
#include "engine/cost/load/block_reads.h"

#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using schedule::testing::scheduled;
using schedule::testing::stageOf;

// A block is a row of 32 threads. Each thread computes eight sums along y, one after the other. A
// serial loop adds up three rows of f for each sum.
class Rows : public ::testing::Test {
protected:
  const schedule::Schedule schedule =
      scheduled("func f(x y) 64 66 = \nfunc w(r) 3 = \nfunc s(x y) 64 64 = \n"
                "update s(x y) r:0:3 = s(x; y) f(x; y+r) w(r)\noutput s\n",
                "f compute_root\nw compute_root\n"
                "s.1 split x a b 32 guard_with_if | split y c d 8 guard_with_if | "
                "reorder ~r d b a c | gpu_threads b | gpu_blocks a c");
  const schedule::Bounds bounds{schedule};
  const std::vector<pipeline::FuncId> funcs{pipeline::FuncId{0}, pipeline::FuncId{1},
                                            pipeline::FuncId{2}};
  const KernelRuns runs{schedule, bounds, funcs};
  const cost::Run &run = runs.of(stageOf(schedule, "s.update(0)"));
  BlockReads reads{run};

  const Reads::Source &source(std::uint32_t func) const {
    return *run.reads->find(pipeline::Producer::func(pipeline::FuncId{func}));
  }
  // A warp reads a row of 32 floats that begins at any address: 4 7/8 sectors on average.
  const CachedRead rowsOfF{&source(0), 4, 4.875 * kSector};
  static constexpr double kSector = 32;
  static constexpr double kRow = 31 * 4 + kSector; // average bytes in these sectors
};

TEST_F(Rows, TurnsThatReadTheSame) {
  EXPECT_EQ(reads.steadyTurns(source(2)), 3); // s(x, y) is the same in all three iterations of r
  EXPECT_EQ(reads.steadyTurns(source(0)), 1);
  // w(r) does not depend on the loop over y around it. That does not help, because w(r) changes
  // with the innermost loop.
  EXPECT_EQ(reads.steadyTurns(source(1)), 1);
}

// In each iteration, the bounding box of a block's reads is all of f. Still, each thread reads
// a different element in each iteration.
TEST(BlockReads, WhereTheWholeEndsEachThreadGoesOn) {
  const schedule::Schedule schedule =
      scheduled("func f(x) 490 = \nfunc s(x) 32 = \n"
                "update s(x) r:0:16 = s(x) f(clamp(16*x+r,0,489))\noutput s\n",
                "f compute_root\ns.1 split x a b 32 guard_with_if | reorder ~r b a | "
                "gpu_threads b | gpu_blocks a");
  const schedule::Bounds bounds(schedule);
  const std::vector<pipeline::FuncId> funcs{pipeline::FuncId{0}, pipeline::FuncId{1}};
  const KernelRuns runs(schedule, bounds, funcs);
  const cost::Run &run = runs.of(stageOf(schedule, "s.update(0)"));
  const BlockReads reads(run);
  EXPECT_EQ(reads.steadyTurns(*run.reads->find(pipeline::Producer::func(pipeline::FuncId{0}))), 1);
}

TEST_F(Rows, ACacheWithRoomForAllFetchesEachRowOnce) {
  EXPECT_EQ(reads.fetched(std::vector{rowsOfF}, 1e6), 10 * kRow);
}

TEST_F(Rows, ACacheWithRoomForOnePlaceFetchesItsThreeRowsAnew) {
  EXPECT_EQ(reads.fetched(std::vector{rowsOfF}, 4 * kRow), 8 * 3 * kRow);
}

TEST_F(Rows, ACacheWithRoomForHalfARowFetchesWhatIsAskedFor) {
  // Each of the 24 iterations reads 156 bytes. Data that does not fit into the cache is fetched
  // each time that it is read.
  EXPECT_DOUBLE_EQ(reads.fetched(std::vector{rowsOfF}, kRow / 2), 24 * 4.875 * kSector);
}

TEST_F(Rows, SeveralSourcesShareTheRoom) {
  const CachedRead weights{&source(1), 4, kSector};
  // 10 rows of f, and the three weights, which lie in 2 * 4 + 32 bytes.
  EXPECT_EQ(reads.fetched(std::vector{rowsOfF, weights}, 1e6), 10 * kRow + 40);
  EXPECT_GT(reads.fetched(std::vector{rowsOfF, weights}, 10 * kRow), 10 * kRow + 40);
}

TEST_F(Rows, BlocksShareWhatAllOfItHasRoomFor) {
  const CachedRead weights{&source(1), 4, kSector};
  const BlockReads::Sharers sharers{4, 8, 1};
  EXPECT_EQ(reads.fetched(std::vector{weights}, 1e6, sharers), 40.0 / 8);
  EXPECT_EQ(reads.fetched(std::vector{weights}, 10, sharers), 40.0 / 8);
  // The four resident blocks share 36 bytes of cache (9 for each). Such a cache drops the first
  // sector before the last iteration, so no other block finds that sector.
  EXPECT_EQ(reads.fetched(std::vector{weights}, 9, sharers), 24 * kSector);
}

} // namespace
} // namespace tessera::cost
