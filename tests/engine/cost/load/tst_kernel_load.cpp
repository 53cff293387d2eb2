// SPDX-License-Identifier: MIT
#include "tests/engine/cost/loaded.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using testing::Loaded;

const std::string kBlur = "input in 66 66\n" // the input has bytes
                          "func f(x y) 66 64 = in(x; y) in(x; y+1) in(x; y+2)\n"
                          "func g(x y) 64 64 = f(x; y) f(x+1; y) f(x+2; y)\n"
                          "output g\n";

std::string tiled(const std::string &stage) {
  return stage + " split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                 "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";
}
const std::string kRoots = tiled("g") + tiled("f") + "f compute_root";
const std::string kShared = tiled("g") + "f compute_at g:xo | gpu_threads x y";

TEST(KernelLoad, OfAPointAThread) {
  const Loaded blur(kBlur, kRoots);
  ASSERT_EQ(blur.kernels().size(), 2u);
  EXPECT_EQ(blur.kernels()[0].stages.size(), 1u);
  const StageLoad &g = blur.stage("g");
  EXPECT_EQ(g.threads, 128);
  EXPECT_EQ(g.warps, 4);
  EXPECT_EQ(g.bodies, 1);
  EXPECT_EQ(g.points, 1);
  EXPECT_EQ(g.arithmetic.all(), 1);
  EXPECT_EQ(g.loads, 3);
  EXPECT_EQ(g.stores, 1);
  EXPECT_EQ(g.sharedAccesses, 0);
  EXPECT_EQ(g.barriers, 0);
}

TEST(KernelLoad, LinesAndBytesOfTwoRowsAWarp) {
  const Loaded blur(kBlur, kRoots);
  const StageLoad &g = blur.stage("g");
  // A warp is 16 * 2 threads. Each load is two pieces of 64 bytes at any address, as rows of f have
  // 264 bytes. The store is two pieces at multiples of 64, as its rows have 256 bytes.
  EXPECT_DOUBLE_EQ(g.lines, 3 * 2 * (1 + 60.0 / 128) + 2);
  EXPECT_DOUBLE_EQ(g.storeBytes, 4 * (2 * 64));
  // The three loads of a thread are adjacent, so two of them hit what the first has fetched.
  EXPECT_DOUBLE_EQ(g.l2Bytes, 4 * 2 * (1 + 60.0 / 32) * 32);
  EXPECT_DOUBLE_EQ(g.missing, 1);
  // All of f is read, and all of g is stored.
  EXPECT_DOUBLE_EQ(blur.kernel("g").dramBytes, 66 * 64 * 4 + 64 * 64 * 4);
}

TEST(KernelLoad, StorageThatIsTurnedPutsNeighboursFarApart) {
  const Loaded turned(kBlur, kRoots + " | reorder_storage y x");
  // Neighbouring threads of a row read elements that are 64 floats apart, each in a line of its
  // own. The two rows of a warp are adjacent.
  EXPECT_DOUBLE_EQ(turned.stage("g").lines, 3 * 16 + 2);
}

TEST(KernelLoad, WhatIsRunInTurnsIsFetchedInEach) {
  const Loaded rows(kBlur, "g split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                           "reorder xi yi xo yo | gpu_threads xi | gpu_blocks xo yo\n"
                           "f compute_at g:yi | gpu_threads x");
  // Each of the 8 iterations over yi reads three rows of 18 bytes of the input, which begin
  // anywhere in a sector.
  EXPECT_DOUBLE_EQ(rows.stage("f").l2Bytes, 8 * 3 * (17 + 32));
}

TEST(KernelLoad, BlocksOfAMultiprocessorDivideItsCache) {
  // Each thread adds up 512 elements of its own, and reads them again in each of the 8 iterations
  // over y.
  const auto fetched = [](const std::string &width) {
    return Loaded("func w(x r) " + width + " 512 = \nfunc s(x y) " + width +
                      " 8 = \nupdate s(x y) r:0:512 = s(x; y) w(x; r)\noutput s\n",
                  "w compute_root | gpu_blocks x\n"
                  "s split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
                  "s.1 split x a b 32 guard_with_if | reorder ~r b y a | gpu_threads b | "
                  "gpu_blocks a")
        .stage("s.update(0)")
        .l2Bytes;
  };
  const std::string oneBlockEach = std::to_string(132 * 32),
                    eightBlocksEach = std::to_string(8 * 132 * 32);
  // A block reads rows of 32 floats. It reads 512 rows of w once, which begin anywhere in a sector,
  // and one row of s in each of the 8 iterations.
  const double all = 512 * (31 * 4 + 32) + 8 * (32 * 4);
  EXPECT_DOUBLE_EQ(fetched(oneBlockEach), all);
  EXPECT_GT(fetched(eightBlocksEach), 6 * all);
}

TEST(KernelLoad, WhatAllBlocksReadWholeIsFetchedForAllOfAMultiprocessor) {
  const auto fetched = [](const std::string &width) {
    return Loaded("func w(x) 4096 = \nfunc s(x) " + width +
                      " = \nupdate s(x) r:0:4096 = s(x) w(r)\noutput s\n",
                  "w compute_root | gpu_blocks x\n"
                  "s split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
                  "s.1 split x a b 32 guard_with_if | reorder ~r b a | gpu_threads b | "
                  "gpu_blocks a")
        .stage("s.update(0)")
        .l2Bytes;
  };
  const double row = 32 * 4, table = 4095 * 4 + 32;
  EXPECT_DOUBLE_EQ(fetched(std::to_string(132 * 32)), table + row);
  EXPECT_DOUBLE_EQ(fetched(std::to_string(8 * 132 * 32)), table / 8 + row);
}

TEST(KernelLoad, WhatTwoStagesOfAKernelReadComesFromMemoryOnce) {
  const Loaded pair("input in 64 64\nfunc f(x y) 64 64 = in(x; y)\n"
                    "func g(x y) 64 64 = f(x; y) in(x; y)\noutput g\n",
                    tiled("g") + "f compute_at g:xi");
  const double input = 64 * 64, stored = 64 * 64 * 4;
  EXPECT_EQ(pair.stage("f").dramBytes, input);
  EXPECT_EQ(pair.stage("g").dramBytes, input + stored);
  EXPECT_EQ(pair.kernel("g").dramBytes, input + stored);
}

// g reads f, which reads e. All three are computed in the threads of g.
TEST(KernelLoad, AChainInAThreadMovesWithTheThreads) {
  const Loaded chain("input in 64 64\nfunc e(x y) 64 64 = in(x; y)\n"
                     "func f(x y) 64 64 = e(x-1..x+1; y)\nfunc g(x y) 64 64 = f(x; y)\n"
                     "output g\n",
                     tiled("g") + "f compute_at g:xi\ne compute_at g:xi");
  // Neighbouring threads read neighbouring elements: a warp of 16 by 2 threads reads a piece of a
  // line in each of two rows.
  EXPECT_EQ(chain.stage("e").lines, 2);
  EXPECT_EQ(chain.stage("e").l2Bytes, 4 * 2 * 32); // a block has four warps
}

TEST(KernelLoad, OfAFuncInSharedMemory) {
  const Loaded blur(kBlur, kShared);
  ASSERT_EQ(blur.kernels().size(), 1u);
  const StageLoad &f = blur.stage("f"), &g = blur.stage("g");
  EXPECT_EQ(f.threads, 18 * 8);
  EXPECT_EQ(f.loads, 3);
  EXPECT_EQ(f.sharedAccesses, 1);
  EXPECT_EQ(g.loads, 0);
  EXPECT_EQ(g.sharedAccesses, 3);
  EXPECT_EQ(g.sharedPasses, 3); // 16 neighbouring threads have no bank conflicts
  EXPECT_EQ(g.lines, 1); // only the store; blocks are 18 threads wide, so a warp has one row of g
  EXPECT_EQ(f.barriers, 1);
  EXPECT_EQ(blur.kernel("f").dramBytes, 66 * 66 + 64 * 64 * 4);
}

// g reads f transposed: neighbouring threads of a row read a column of f.
TEST(KernelLoad, ColumnsOfSharedMemoryMeetInABank) {
  const auto passes = [](const std::string &threads) {
    return Loaded("func f(x y) 64 64 = \nfunc g(x y) 64 64 = f(y; x)\noutput g\n",
                  "g split x xo xi 32 guard_with_if | split y yo yi " + threads +
                      " guard_with_if | reorder xi yi xo yo | gpu_threads xi yi | "
                      "gpu_blocks xo yo\nf compute_at g:xo | gpu_threads x y")
        .stage("g")
        .sharedPasses;
  };
  EXPECT_EQ(passes("8"), 8);   // rows of 8 words: four banks for 32 threads
  EXPECT_EQ(passes("32"), 32); // rows of 32 words: one bank for 32 threads
}

TEST(KernelLoad, VectorsOfSharedMemoryAreOneAccess) {
  const auto accesses = [](const std::string &index) {
    return Loaded("func f(x y) 130 130 = \nfunc g(x y) 64 64 = f(" + index + ")\noutput g\n",
                  "g split x xo xi 64 guard_with_if | split xi xt xv 4 guard_with_if | "
                  "reorder xv xt xo y | vectorize xv | gpu_threads xt | gpu_blocks xo y\n"
                  "f compute_at g:xo | gpu_threads x")
        .stage("g")
        .sharedAccesses;
  };
  EXPECT_EQ(accesses("x; y"), 1);
  EXPECT_EQ(accesses("2*x; y"), 4); // the elements are not adjacent
  EXPECT_EQ(accesses("y; x"), 4);
}

// A thread reads four adjacent elements of shared memory, without a vectorised loop.
TEST(KernelLoad, NeighboursOfSharedMemoryAreOneAccessWhereTheyAreAligned) {
  const auto accesses = [](const std::string &width, const std::string &step) {
    return Loaded("func f(x y) 256 64 = \n"
                  "func g(x y) 32 64 = f(" +
                      step + "*x; y) f(" + step + "*x+1; y) f(" + step + "*x+2; y) f(" + step +
                      "*x+3; y)\noutput g\n",
                  "g split x xo xi " + width +
                      " guard_with_if | split y yo yi 4 guard_with_if | "
                      "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n"
                      "f compute_at g:xo | gpu_threads x y")
        .stage("g")
        .sharedAccesses;
  };
  // Neighbouring threads begin to read at elements that are 16 bytes apart, in rows of 32 floats.
  EXPECT_EQ(accesses("8", "4"), 1);
  EXPECT_EQ(accesses("8", "6"), 2); // 24 bytes apart: two accesses of two floats
  EXPECT_EQ(accesses("8", "1"), 4); // in a stencil, the first element has any alignment
}

// Four unrolled steps of a scan. In shared memory, the compiler sees that a step reads what the
// previous step has stored. In global memory it does not, because the row length is unknown.
TEST(KernelLoad, StepsOfAScanInSharedMemoryAreForwarded) {
  const auto update = [](const std::string &place) {
    const Loaded scan("input in 64 64\nfunc s(x y) 64 64 = in(x; y)\n"
                      "update s(x r) r:1:63 = s(x; r-1) s(x; r)\n"
                      "func g(x y) 64 64 = s(x; y)\noutput g\n",
                      place);
    return scan.stage("s.update(0)");
  };
  const std::string steps = "split ~r ~ro ~ri 4 guard_with_if | split x xo xi 16 guard_with_if | "
                            "reorder ~ri ~ro xi xo | unroll ~ri | gpu_threads xi";
  const std::string g = "g split x xb xt 16 guard_with_if | reorder y xt xb | gpu_threads xt | "
                        "gpu_blocks xb\n";
  const StageLoad shared = update(g +
                                  "s compute_at g:xb | split x xo xi 16 guard_with_if | "
                                  "reorder y xi xo | gpu_threads xi\ns.1 " +
                                  steps);
  EXPECT_EQ(shared.chained, 4);
  EXPECT_TRUE(shared.forwarded);
  const StageLoad global =
      update(g + tiled("s") + "s compute_root\ns.1 " + steps + " | gpu_blocks xo");
  EXPECT_GT(global.chained, 0);
  EXPECT_FALSE(global.forwarded);
}

// With rows of a constant length, the compiler sees it in global memory, too: in steps that the
// schedule unrolls, and in those that LLVM does, which needs to know how many there are.
TEST(KernelLoad, StepsOfAScanInGlobalMemoryAreForwardedInRowsOfConstantLength) {
  const auto update = [](const std::string &definition, const std::string &output,
                         const std::string &loops) {
    const Loaded scan("input in 64 64\nfunc s(x y) 64 64 = in(x; y)\n" + definition + "output s" +
                          output + "\n",
                      tiled("s") + "s.1 " + loops);
    return scan.stage("s.update(0)");
  };
  const std::string columns = "update s(x r) r:1:63 = s(x; r-1) s(x; r)\n";
  const std::string fixedColumns = "update s(x r) r:1:63:fixed = s(x; r-1) s(x; r)\n";
  const std::string unrolled =
      "split ~r ~ro ~ri 4 guard_with_if | split x xo xi 16 guard_with_if | "
      "reorder ~ri ~ro xi xo | unroll ~ri | gpu_threads xi | gpu_blocks xo";
  const std::string serial =
      "split x xo xi 16 guard_with_if | reorder ~r xi xo | gpu_threads xi | gpu_blocks xo";
  EXPECT_FALSE(update(columns, "", unrolled).forwarded);
  EXPECT_EQ(update(columns, "", unrolled).loads, 4 + 4);
  EXPECT_TRUE(update(columns, " fixed", unrolled).forwarded);
  EXPECT_EQ(update(columns, " fixed", unrolled).loads, 4 + 1);
  EXPECT_FALSE(update(columns, " fixed", serial).forwarded) << "LLVM does not know how many";
  EXPECT_TRUE(update(fixedColumns, " fixed", serial).forwarded);
  EXPECT_EQ(update(fixedColumns, " fixed", serial).together, 16);
  EXPECT_EQ(update(fixedColumns, " fixed", serial).loads, 1 + 1.0 / 16);
  EXPECT_FALSE(update(fixedColumns, "", serial).forwarded);
}

// Along a row the value is handed on from turn to turn.
TEST(KernelLoad, AScanAlongRowsLoadsNothingThatItHasStored) {
  const Loaded scan("input in 64 64\nfunc s(x y) 64 64 = in(x; y)\n"
                    "update s(r y) r:1:63:fixed = s(r-1; y) s(r; y)\noutput s fixed\n",
                    tiled("s") + "s.1 split y yo yi 16 guard_with_if | reorder ~r yi yo | "
                                 "gpu_threads yi | gpu_blocks yo");
  const StageLoad &update = scan.stage("s.update(0)");
  EXPECT_TRUE(update.forwarded);
  EXPECT_EQ(update.together, 1);
  EXPECT_EQ(update.loads, 1);
}

// Each iteration of r reads the point that the previous iteration has stored.
TEST(KernelLoad, ARecursionIsChained) {
  const Loaded recursion("func s(x y) 64 64 = \nupdate s(x r) r:1:63 = s(x; r-1)\noutput s\n",
                         "s gpu_blocks x y\ns.1 split x xo xi 32 guard_with_if | "
                         "reorder ~r xi xo | gpu_threads xi | gpu_blocks xo");
  const StageLoad &update = recursion.stage("s.update(0)");
  EXPECT_EQ(update.chained, update.points);
  EXPECT_EQ(update.loads, 1);
  EXPECT_EQ(update.missing, 1); // stores go to the L2 cache, so the load misses the L1 cache
}

// Each thread computes a column of four points of g in unrolled copies. f reads a column of three
// elements of the input, so neighbouring points of a column share elements.
const std::string kColumns =
    "g split x xo xi 16 guard_with_if | split y yo yu 4 round_up | "
    "reorder yu xi xo yo | unroll yu | gpu_threads xi | gpu_blocks xo yo\n";

TEST(KernelLoad, CopiesThatStoreToGlobalMemoryLoadAgain) {
  // The compiler does not know that g and the input are different memory, so each copy loads its
  // nine elements again.
  const Loaded inlined(kBlur, kColumns);
  EXPECT_EQ(inlined.stage("g").points, 4);
  EXPECT_EQ(inlined.stage("g").loads, 4 * (3 * 3));
  EXPECT_EQ(inlined.stage("g").stores, 4);
  // The additions of 4 points, and of the 12 values of f that they read.
  EXPECT_EQ(inlined.stage("g").arithmetic.all(), 4 + 12);
  // Four copies in a row read 12 values of f, of which only 6 are different. Still, each copy
  // computes its three values of f again.
  const Loaded row(kBlur, "g split y yo yi 16 guard_with_if | split x xo xu 4 round_up | "
                          "reorder xu yi xo yo | unroll xu | gpu_threads yi | gpu_blocks xo yo\n");
  EXPECT_EQ(row.stage("g").arithmetic.all(), 4 + 12);
  EXPECT_EQ(row.stage("g").loads, 4 * (3 * 3));
}

TEST(KernelLoad, CopiesThatGoToRegistersShareWhatTheyLoad) {
  const Loaded copies(kBlur, tiled("g") + "f compute_at g:xi | unroll x");
  // The three columns of the input have no element in common.
  EXPECT_EQ(copies.stage("f").loads, 3 * 3);
  // A column of four values reads six elements.
  const Loaded column("input in 66 66\n"
                      "func f(x y) 66 64 = in(x; y) in(x; y+1) in(x; y+2)\n"
                      "func g(x y) 64 61 = f(x; y) f(x; y+1) f(x; y+2) f(x; y+3)\noutput g\n",
                      tiled("g") + "f compute_at g:xi | unroll y");
  EXPECT_EQ(column.stage("f").points, 4);
  EXPECT_EQ(column.stage("f").loads, 6);
}

TEST(KernelLoad, CopiesOfAVectorShareWhatTheyLoad) {
  // The single store of four values comes after all loads, so six elements of f are loaded instead
  // of twelve.
  const Loaded vectors(kBlur, tiled("f") + "f compute_root\n"
                                           "g split y yo yi 16 guard_with_if | "
                                           "split x xo xv 4 round_up | reorder xv yi xo yo | "
                                           "vectorize xv | gpu_threads yi | gpu_blocks xo yo\n");
  EXPECT_EQ(vectors.stage("g").loads, 6);
}

// Two funcs in the same thread, which both read three rows of the input.
const std::string kPair = "input in 66 66\n"
                          "func e(x y) 66 64 = in(x; y) in(x; y+1) in(x; y+2)\n"
                          "func f(x y) 66 64 = in(x; y+1) in(x; y+2)\n"
                          "func g(x y) 64 64 = e(x; y) f(x; y)\noutput g\n";

TEST(KernelLoad, StagesOfAThreadShareWhatTheyLoad) {
  const Loaded pair(kPair, tiled("g") + "e compute_at g:xi\nf compute_at g:xi");
  // Three elements are loaded. The model may count them for either of the stages.
  EXPECT_DOUBLE_EQ(pair.stage("e").loads + pair.stage("f").loads, 3);
  // If e and f are computed in the block, each has a loop over threads of its own, and they share
  // no loads.
  const Loaded apart(kPair, tiled("g") + "e compute_at g:xo | gpu_threads x y\n"
                                         "f compute_at g:xo | gpu_threads x y");
  EXPECT_EQ(apart.stage("e").loads + apart.stage("f").loads, 3 + 2);
}

TEST(KernelLoad, WhatDataChooseStagesOfAThreadDoNotShare) {
  const Loaded pair("func t(x) 64 = \nfunc e(x y) 64 64 = t(?)\nfunc f(x y) 64 64 = t(?)\n"
                    "func g(x y) 64 64 = e(x; y) f(x; y)\noutput g\n",
                    tiled("g") + "t compute_root | gpu_blocks x\n"
                                 "e compute_at g:xi\nf compute_at g:xi");
  EXPECT_EQ(pair.stage("e").loads, 1);
  EXPECT_EQ(pair.stage("f").loads, 1); // the data may choose another element of t than in e
}

const std::string kSum = "input in 64 64\n"
                         "func s(x y) 64 64 = \n"
                         "update s(x y) r:0:32 commutative = s(x; y) in(x; r)\n"
                         "output s\n";

TEST(KernelLoad, ASumStaysInARegisterWhileItsPlaceDoes) {
  const Loaded sum(kSum, tiled("s") +
                             "s.1 split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                             "reorder ~r xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo");
  const StageLoad &update = sum.stage("s.update(0)");
  EXPECT_EQ(update.bodies, 32);
  EXPECT_EQ(update.turns, 32);
  EXPECT_EQ(update.stores, 1.0 / 32); // per iteration of r
  EXPECT_EQ(update.loads, 1 + 1.0 / 32);
  EXPECT_EQ(update.atomics, 0);
}

TEST(KernelLoad, ASumIsNotChained) {
  const Loaded sum(kSum, tiled("s") +
                             "s.1 split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                             "reorder ~r xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo");
  EXPECT_EQ(sum.stage("s.update(0)").chained, 0);
}

// A body has the unrolled copies of two rows and four steps. The order of the loops decides whether
// the sum of a row goes through memory between two steps.
TEST(KernelLoad, RowsBetweenTwoSumsAreStoredEachTime) {
  const auto update = [](const std::string &output, const std::string &unrolled) {
    const Loaded sum(
        "input in 64 64\nfunc s(x y) 64 64 = \n"
        "update s(x y) r:0:32 commutative = s(x; y) in(x; r)\n" +
            output,
        tiled("s") +
            "s.1 split ~r ~ro ~ri 4 auto | split x xo xi 16 guard_with_if | "
            "split y yo yr 16 guard_with_if | split yr yi yu 2 guard_with_if | reorder " +
            unrolled +
            " ~ro xi yi xo yo | unroll ~ri | unroll yu | gpu_threads xi yi | "
            "gpu_blocks xo yo");
    return sum.stage("s.update(0)");
  };
  // The width of the buffer is unknown, so the compiler cannot exclude that rows 0 and 1 are the
  // same memory.
  const StageLoad rows = update("output s\n", "yu ~ri");
  EXPECT_EQ(rows.stores, 8);
  EXPECT_EQ(rows.turns, 1);
  EXPECT_EQ(rows.chained, 8) << "and each turn reads what the last has stored";
  // If the copies are taken row by row, each sum stays in a register and is stored once per body.
  const StageLoad sums = update("output s\n", "~ri yu");
  EXPECT_EQ(sums.stores, 2);
  EXPECT_EQ(sums.turns, 1);
  // If the width is fixed, the compiler knows that the rows are different memory.
  const StageLoad fixed = update("output s fixed\n", "yu ~ri");
  EXPECT_EQ(fixed.stores * fixed.turns, 2);
  EXPECT_EQ(fixed.turns, 8);
  EXPECT_EQ(fixed.chained, 0);
}

// A block's sum and its summands are both in shared memory, which LLVM treats as one array.
TEST(KernelLoad, ASumInSharedMemoryOfWhatLiesThereTooIsStoredEachTime) {
  const auto update = [](const std::string &f) {
    const Loaded sum("input in 32 64\nfunc f(x y) 32 64 = in(x; y)\nfunc s(x y) 64 64 = \n"
                     "update s(x y) r:0:32 commutative = s(x; y) f(r; y)\n"
                     "func g(x y) 64 64 = s(x; y)\noutput g\n",
                     tiled("g") +
                         "s compute_at g:xo | gpu_threads x y\n"
                         "s.1 split ~r ~ro ~ri 4 auto | reorder ~ri ~ro x y | unroll ~ri | "
                         "gpu_threads x y\n" +
                         f);
    return sum.stage("s.update(0)");
  };
  const StageLoad apart = update(tiled("f") + "f compute_root");
  EXPECT_EQ(apart.turns, 8);
  // The sum is loaded once before all 8 iterations and stored once after them.
  EXPECT_DOUBLE_EQ(apart.sharedAccesses, 2 / 8.0);
  EXPECT_EQ(apart.stores, 0);
  const StageLoad between = update("f compute_at g:xo | gpu_threads x y");
  EXPECT_EQ(between.turns, 1);
  // Each of the four steps loads an element of f and stores the sum. Only the first step loads the
  // sum.
  EXPECT_DOUBLE_EQ(between.sharedAccesses, 4 + 4 + 1);
  EXPECT_EQ(between.chained, 0);
}

// A histogram and its input are both in shared memory. A step can load its element of the input,
// and then the bin, only after the previous step has stored its bin.
TEST(KernelLoad, PlacesInSharedMemoryAreWaitedForStepByStep) {
  const Loaded histogram("input in 512\nfunc f(x) 512 = in(x)\nfunc h(z) 16 = \n"
                         "update h(?) r:0:512:fixed = h(?) f(r)\n"
                         "func g(z) 16 = h(z)\noutput g\n",
                         "g split z zo zi 16 guard_with_if | gpu_threads zi | gpu_blocks zo\n"
                         "h compute_at g:zo | gpu_threads z\n"
                         "h.1 split ~r ~ro ~ri 8 guard_with_if | reorder ~ri ~ro | unroll ~ri\n"
                         "f compute_at g:zo | split x xo xi 16 guard_with_if | gpu_threads xi");
  EXPECT_EQ(histogram.stage("h.update(0)").chained, 2 * 8);
  EXPECT_FALSE(histogram.stage("h.update(0)").forwarded);
}

TEST(KernelLoad, ASumOverLaunchesIsStoredInEach) {
  const Loaded sum(kSum, tiled("s") +
                             "s.1 split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                             "reorder xi yi xo yo ~r | gpu_threads xi yi | gpu_blocks xo yo");
  EXPECT_EQ(sum.kernel("s.update(0)").launches, 32);
  EXPECT_EQ(sum.stage("s.update(0)").bodies, 1);
  EXPECT_EQ(sum.stage("s.update(0)").stores, 1);
  EXPECT_EQ(sum.stage("s.update(0)").loads, 2);
}

TEST(KernelLoad, AThreadsOwnValuesAreLoadedFromWhereItsConsumerIs) {
  const Loaded blur(kBlur, tiled("g") + "f compute_at g:xi | unroll x");
  const StageLoad &f = blur.stage("f"), &g = blur.stage("g");
  EXPECT_EQ(f.threads, 128);
  EXPECT_EQ(f.points, 3);
  EXPECT_EQ(f.loads, 9);
  EXPECT_EQ(f.stores + f.sharedAccesses + f.localAccesses, 0); // f is in registers
  // 16 neighbouring threads read adjacent bytes, and the second row of the warp begins 66 bytes
  // after the first: 82 bytes that begin at any address.
  EXPECT_DOUBLE_EQ(f.lines, 9 * (1 + 81.0 / 128));
  // All threads of a block together read 10 rows of 18 bytes.
  EXPECT_DOUBLE_EQ(f.l2Bytes, 10 * (17 + 32));
  EXPECT_EQ(g.loads, 0);
  EXPECT_EQ(g.held, 3 + 1); // 3 values of f, and the value of g
  EXPECT_EQ(f.barriers, 0); // f is not shared with other threads
}

TEST(KernelLoad, WhatALoopIndexesIsInLocalMemory) {
  const Loaded few(kBlur, tiled("g") + "f compute_at g:xi"); // LLVM unrolls the three iterations
  EXPECT_EQ(few.stage("f").bodies, 1);
  EXPECT_EQ(few.stage("f").localAccesses, 0);
  const Loaded many("input in 128 66\n"
                    "func f(x y) 127 64 = in(x; y) in(x; y+1) in(x; y+2)\n"
                    "func g(x y) 64 64 = f(x+[0,63]; y)\noutput g\n",
                    tiled("g") + "f compute_at g:xi");
  EXPECT_EQ(many.stage("f").bodies, 64);
  EXPECT_EQ(many.stage("f").localAccesses, 1);
  EXPECT_GT(many.stage("g").localAccesses, 0);
}

TEST(KernelLoad, AGatherTouchesHalfOfWhatItMayReach) {
  const auto lines = [](const std::string &size) {
    const Loaded gather("func f(x) " + size + " = \nfunc g(x) 1024 = f(?)\noutput g\n",
                        "f compute_root | gpu_blocks x\n"
                        "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a");
    return gather.stage("g").lines - 1; // without the line of the store
  };
  // A table of 256 bytes, which are two lines.
  EXPECT_DOUBLE_EQ(lines("64"), 1.3 * (1 + 0.5 * (2 - 1)));
  // Each thread reads a different line, but the model counts at most 8 lines.
  EXPECT_DOUBLE_EQ(lines("65536"), 1.3 * 8);
}

TEST(KernelLoad, RowsOfAStencilHaveAddressesOfTheirOwn) {
  // One address for f(x..x+2, y), and one for the store.
  EXPECT_EQ(Loaded(kBlur, kRoots).stage("g").rows, 1 + 1);
  // Addresses for in(x, y..y+2), and one for the store.
  EXPECT_EQ(Loaded(kBlur, kRoots).stage("f").rows, 3 + 1);
  // Shared memory is addressed from the base of the block's memory, so only the store has an
  // address.
  EXPECT_EQ(Loaded(kBlur, kShared).stage("g").rows, 1);
}

TEST(KernelLoad, AThreadKeepsWhatItComputedUntilAllHaveReadIt) {
  // A thread computes 4 points each of a, b and c.
  const std::string chain = "func in(x y) 64 64 sine = \nfunc a(x y) 64 64 sine = in(x; y)\n"
                            "func b(x y) 64 64 sine = a(x; y)\n"
                            "func c(x y) 64 64 sine = b(x; y)\n"
                            "func g(x y) 64 64 = a(x; y) c(x; y)\noutput g\n";
  const std::string tile =
      "g split x xo xi 32 shift_inwards | split y yo yr 16 shift_inwards | split yr yi yu 4 "
      "shift_inwards | reorder yu xi yi xo yo | unroll yu | gpu_threads xi yi | gpu_blocks xo yo\n";
  std::string thread;
  for (const std::string func : {"a", "b", "c"})
    thread += func + " compute_at g:xi | unroll x | unroll y\n";
  const Loaded kernel(chain, tile + tiled("in") + "in compute_root\n" + thread);
  EXPECT_EQ(kernel.stage("a").live, 4);
  EXPECT_EQ(kernel.stage("b").live, 8);
  EXPECT_EQ(kernel.stage("c").live, 12);
  EXPECT_EQ(kernel.stage("g").live, 8); // the points of b are no longer needed
}

// Normally, copied elements are loaded only where they are used. After a sum has stored to memory,
// the compiler can no longer move a load past that store.
TEST(KernelLoad, AThreadKeepsWhatItCopiedWhileASumGoesToMemory) {
  const auto kept = [](const std::string &operation) {
    const Loaded kernel("input in 64 64\nfunc a(x y) 64 64" + operation +
                            " = in(x; y)\nfunc s(x) 64 = \n"
                            "update s(x) r:0:8:fixed = s(x) a(x; r)\noutput s\n",
                        "s split x xo xi 32 guard_with_if | gpu_threads xi | gpu_blocks xo\n"
                        "s.1 split x xo xi 32 guard_with_if | reorder ~r xi xo | unroll ~r | "
                        "gpu_threads xi | gpu_blocks xo\n"
                        "a compute_at s.1:xi | unroll y\n");
    return kernel.stage("s.update(0)").live;
  };
  EXPECT_GE(kept(""), 8);
  EXPECT_EQ(kept(""), kept(" sine"));
}

TEST(KernelLoad, ATupleIsLoadedAndStoredElementByElement) {
  const Loaded tuple(
      "func f(x y) 64 64 float32 float32 = \nfunc g(x y) 64 64 = f(x; y)\noutput g\n",
      tiled("g") + tiled("f") + "f compute_root");
  EXPECT_EQ(tuple.stage("f").stores, 2);
  EXPECT_EQ(tuple.stage("g").loads, 2);
}

// As in a maximum over a disc, the step r decides h. h decides which of two tables `pick` reads,
// and in which row.
TEST(KernelLoad, WhatALoopDecidesIsDecidedInCopiesOfIt) {
  const std::string disc = "input in 66 66\n"
                           "func near(x y) 66 66 = in(x; y)\n"
                           "func far(x y) 66 66 = in(x; y)\n"
                           "func pick(x y h) 66 64 3 = near(x; y+h) far(x; y+h)\n"
                           "folded h = near(x; y)\n"
                           "func s(x y) 64 64 = \n"
                           "update s(x y) r:0:3:fixed = s(x; y) pick(x+r; y; ?r)\n"
                           "func g(x y) 64 64 = s(x; y)\noutput g\n";
  const std::string around = tiled("g") + "near compute_root\nfar compute_root\n"
                                          "s compute_at g:xi | store_in registers\n";
  const Loaded serial(disc, around + "s.1 reorder ~r x y");
  const Loaded copies(disc, around + "s.1 reorder ~r x y | unroll ~r");
  const StageLoad &turn = serial.stage("s.update(0)"), &all = copies.stage("s.update(0)");
  EXPECT_EQ(turn.loads, 2);     // each iteration loads from both tables
  EXPECT_EQ(turn.scattered, 2); // the addresses are computed from h
  EXPECT_EQ(all.loads, 3);      // one load for each of the three unrolled iterations
  EXPECT_EQ(all.scattered, 0);
  EXPECT_EQ(turn.arithmetic.all(), 2);
  EXPECT_EQ(all.arithmetic.all(), 3); // pick computes nothing
  // All threads are in the same step, so neighbouring threads read neighbouring elements.
  EXPECT_DOUBLE_EQ(turn.lines, 2 * 2 * (1 + 60.0 / 128)); // pieces of two rows
}

// The input of 16 MB is read once for each of the four k. If the cache has only 10 MB, it has
// dropped the first rows when they are read again.
TEST(KernelLoad, WhatBlocksComeBackToTooLateIsReadAgain) {
  const auto bytes = [](const std::string &blocks, std::int64_t cache) {
    machine::Machine machine;
    machine.memory.l2Bytes = cache;
    return Loaded("input in 4096 4096\nfunc g(x y k) 4096 4096 4 = in(x; y)\noutput g\n",
                  "g split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | reorder " +
                      blocks,
                  machine)
        .stage("g")
        .dramBytes;
  };
  const double in = 4096.0 * 4096, stored = 4.0 * 4 * in; // bytes are read, and floats are stored
  const std::string late = "xi yi xo yo k | gpu_threads xi yi | gpu_blocks xo yo k";
  const std::string soon = "xi yi k xo yo | gpu_threads xi yi | gpu_blocks k xo yo";
  EXPECT_EQ(bytes(late, 20 << 20), in + stored);
  EXPECT_EQ(bytes(late, 10 << 20), 4 * in + stored);
  EXPECT_EQ(bytes(soon, 10 << 20), in + stored);
}

} // namespace
} // namespace tessera::cost
