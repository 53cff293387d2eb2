// SPDX-License-Identifier: MIT
// Data that threads keep in local memory, indexed by a loop or by data.
#include "tests/engine/cost/loaded.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using testing::Loaded;

std::string tiled(const std::string &stage) {
  return stage + " split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                 "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";
}

// Each thread has a histogram in local memory, and data choose the bin.
TEST(LocalMemory, AHistogramIsNoSumInARegister) {
  const Loaded counted("input in 128 64\nfunc h(b y) 16 64 = \n"
                       "update h(? y) r:0:64 = h(?; y) in(r; y)\n"
                       "func g(x y) 16 64 = h(x; y)\noutput g\n",
                       "g split y yo yi 32 guard_with_if | reorder x yi yo | gpu_threads yi | "
                       "gpu_blocks yo\nh compute_at g:yi");
  const StageLoad &update = counted.stage("h.update(0)");
  ASSERT_EQ(update.bodies, 64);
  // Each iteration adds to a different bin, so it loads and stores instead of adding in a register.
  EXPECT_EQ(update.turns, 1);
  EXPECT_EQ(update.localAccesses, 1 + 1);
  EXPECT_EQ(update.chained, update.points); // the next iteration may add to the same bin
  // The same bin of all 32 threads lies in one line. The model assumes that data choose half of the
  // 16 bins, and the access itself counts as one of these lines.
  const double beyond = 0.5 * (16 - 1);
  // The input has rows of 128 bytes. Each thread reads a different row, which is one line.
  EXPECT_DOUBLE_EQ(update.lines, 2 * beyond + 32);
  // In g, a loop chooses the bin. It is the same for all threads and lies in one line.
  EXPECT_EQ(counted.stage("g").localAccesses, 1);
  EXPECT_EQ(counted.stage("g").chained, 0);
}

// To LLVM, a sum that a block keeps in registers is an array. LLVM turns it into registers only if
// all threads of the kernel have a part of it.
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
  // f needs 18 threads in x, of which s uses only 16.
  const StageLoad idle = update("f compute_at g:xo | gpu_threads x y");
  EXPECT_EQ(idle.localAccesses, 1);
  // Each thread reads a different element, in a line of its own.
  EXPECT_GE(idle.lines, 32);
}

// 128 threads keep 128 floats each, so 16 blocks keep 1 MiB. The part that the L1 cache of 256 KiB
// cannot hold is fetched from the L2 cache.
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

// A loop fills the table of each thread, and data choose the element that is read.
TEST(LocalMemory, DataIndexLocalMemoryByLinesOfTheirOwn) {
  const Loaded table("func t(b y) 16 64 = \nfunc g(x y) 64 64 = t(?; y)\noutput g\n",
                     tiled("g") + "t compute_at g:xi");
  // The same element of all threads lies in one line. The model assumes that data choose half of
  // the 16 elements, and the access itself counts as one of these lines. Two rows of 64 bytes are
  // stored.
  EXPECT_EQ(table.stage("g").localAccesses, 1);
  EXPECT_DOUBLE_EQ(table.stage("g").lines, 0.5 * (16 - 1) + 2);
  // In t, a loop chooses the element, which is the same for all threads.
  EXPECT_EQ(table.stage("t").localAccesses, 1);
  EXPECT_EQ(table.stage("t").lines, 0);
}

} // namespace
} // namespace tessera::cost
