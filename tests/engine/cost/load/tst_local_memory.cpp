// SPDX-License-Identifier: MIT
// What threads keep in memory of their own, as a loop or data say which element it is.
#include "tests/engine/cost/loaded.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using testing::Loaded;

std::string tiled(const std::string &stage) {
  return stage + " split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                 "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";
}

// A histogram of each thread in local memory: data choose the bin.
TEST(LocalMemory, AHistogramIsNoSumInARegister) {
  const Loaded counted("input in 128 64\nfunc h(b y) 16 64 = \n"
                       "update h(? y) r:0:64 = h(?; y) in(r; y)\n"
                       "func g(x y) 16 64 = h(x; y)\noutput g\n",
                       "g split y yo yi 32 guard_with_if | reorder x yi yo | gpu_threads yi | "
                       "gpu_blocks yo\nh compute_at g:yi");
  const StageLoad &update = counted.stage("h.update(0)");
  ASSERT_EQ(update.bodies, 64);
  // Each turn adds to another bin: a load and a store, no sum in a register.
  EXPECT_EQ(update.turns, 1);
  EXPECT_EQ(update.localAccesses, 1 + 1);
  EXPECT_EQ(update.chained, update.points); // the next bin may be the same
  // A bin of all threads is a line. Data choose half of 16; one counts as the access itself.
  const double beyond = 0.5 * (16 - 1);
  // The input is bytes, rows of 128: each thread has its own, a line.
  EXPECT_DOUBLE_EQ(update.lines, 2 * beyond + 32);
  // Where a loop says which bin, all threads have the same, in one line.
  EXPECT_EQ(counted.stage("g").localAccesses, 1);
  EXPECT_EQ(counted.stage("g").chained, 0);
}

// Sums that a block keeps in registers are an array to LLVM, which it takes apart where all threads
// of the kernel have a part of it.
TEST(LocalMemory, RegistersOfABlockAreMemoryWhereThreadsAreIdle) {
  const auto update = [](const std::string &f) {
    const Loaded sum(
        "input in 66 64\nfunc f(x y) 66 64 = in(x; y)\n"
        "func s(x y) 64 64 = f(x; y) f(x+2; y)\nfunc g(x y) 64 64 = s(x; y)\noutput g\n",
        tiled("g") + "s compute_at g:xo | store_in registers | gpu_threads x y\n" + f);
    return sum.stage("g");
  };
  const StageLoad all = update(tiled("f") + "f compute_root");
  EXPECT_EQ(all.localAccesses, 0);
  const StageLoad idle = update("f compute_at g:xo | gpu_threads x y"); // 18 threads in x, not 16
  EXPECT_EQ(idle.localAccesses, 1);
  // Each thread has another element, in a line of its own.
  EXPECT_GE(idle.lines, 32);
}

// 128 threads keep 128 floats each, 16 blocks 1 MiB: what of that the cache of 256 KiB has no part
// for comes from beyond.
TEST(LocalMemory, LocalMemoryThatNoCacheHoldsIsFetched) {
  const auto fetched = [](const std::string &size) {
    const Loaded table("func t(b y) " + size +
                           " 4096 = \nfunc g(x y) 4096 4096 = t(?; y)\noutput g\n",
                       tiled("g") + "t compute_at g:xi");
    return table.stage("g").l2Bytes;
  };
  const double part = 32.0 * 1024 / (1024 * 1024);
  EXPECT_DOUBLE_EQ(fetched("128"), (1 - part) * 4 * 128);
  EXPECT_EQ(fetched("4"), 0);
}

// A table that each thread keeps, which a loop fills and data index.
TEST(LocalMemory, DataIndexLocalMemoryByLinesOfTheirOwn) {
  const Loaded table("func t(b y) 16 64 = \nfunc g(x y) 64 64 = t(?; y)\noutput g\n",
                     tiled("g") + "t compute_at g:xi");
  // An element of all threads is a line. Data choose half of 16; one counts as the access
  // itself. And two rows of 64 bytes are stored.
  EXPECT_EQ(table.stage("g").localAccesses, 1);
  EXPECT_DOUBLE_EQ(table.stage("g").lines, 0.5 * (16 - 1) + 2);
  // Where a loop says which one, all threads have the same.
  EXPECT_EQ(table.stage("t").localAccesses, 1);
  EXPECT_EQ(table.stage("t").lines, 0);
}

} // namespace
} // namespace tessera::cost
