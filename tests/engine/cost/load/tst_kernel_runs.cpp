// SPDX-License-Identifier: MIT
#include "engine/cost/load/kernel_runs.h"

#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

namespace tessera::cost {
namespace {

using pipeline::FuncId;
using pipeline::Interval;
using schedule::testing::funcOf;
using schedule::testing::scheduled;
using schedule::testing::stageOf;
using ::testing::ElementsAre;

std::vector<FuncId> allFuncs(const schedule::Schedule &schedule) {
  std::vector<FuncId> funcs;
  for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f)
    funcs.push_back(FuncId{f});
  return funcs;
}

class Ran {
public:
  Ran(std::string_view pipeline, std::string_view directives)
      : m_schedule(scheduled(pipeline, directives)), m_bounds(m_schedule),
        m_runs(m_schedule, m_bounds, allFuncs(m_schedule)) {}

  const Run &of(std::string_view stage) const { return m_runs.of(stageOf(m_schedule, stage)); }
  MemorySpace space(std::string_view func) const { return m_runs.space(funcOf(m_schedule, func)); }
  const KernelRuns::Kernel &kernelOf(std::string_view stage) const {
    return m_runs.kernels()[of(stage).kernel];
  }
  std::size_t kernels() const { return m_runs.kernels().size(); }

private:
  schedule::Schedule m_schedule;
  schedule::Bounds m_bounds;
  KernelRuns m_runs;
};

const std::string kBlur = "input in 66 66\n"
                          "func f(x y) 66 64 = in(x; y) in(x; y+1) in(x; y+2)\n"
                          "func g(x y) 64 64 = f(x; y) f(x+1; y) f(x+2; y)\n"
                          "output g\n";

std::string tiled(const std::string &stage) {
  return stage + " split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                 "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";
}

// Each thread computes a column of `points` points in a serial loop, with three loads per point.
std::string inTurns(int points) {
  return "g split x xo xi 16 guard_with_if | split y yo yi " + std::to_string(points) +
         " round_up | reorder yi xi xo yo | gpu_threads xi | gpu_blocks xo yo\n";
}

TEST(KernelRuns, ShortTurnsOfConstantNumberAreStraightLineCode) {
  const Ran four(kBlur, inTurns(4)), many(kBlur, inTurns(64));
  EXPECT_EQ(four.of("g").bodyLoops, 1u);
  EXPECT_EQ(four.of("g").bodies, 1);
  EXPECT_EQ(many.of("g").bodyLoops, 0u); // LLVM does not unroll so much code
}

// The thread loop lies inside the short one, and Halide makes it the outermost loop of the block.
TEST(KernelRuns, ShortTurnsAroundThreadsAreStraightLineCodeInEachThread) {
  const std::string loops = " | split y yo yi 4 round_up | reorder xi yi xo yo | gpu_threads xi | "
                            "gpu_blocks xo yo\n";
  const Ran four(kBlur, "g split x xo xi 16 round_up" + loops);
  EXPECT_EQ(four.of("g").bodyLoops, 1u);
  EXPECT_EQ(four.of("g").bodies, 1);
  EXPECT_EQ(four.of("g").loops.front().dim, 1);
  EXPECT_THAT(four.of("g").threads, ElementsAre(16, 1, 1));
}

TEST(KernelRuns, TurnsAroundThreadsBehindConditionsStayTurns) {
  const Ran cut(kBlur, tiled("g") + "f compute_at g:xo | split x xt xi 8 guard_with_if | "
                                    "reorder xi xt y | gpu_threads xi y");
  EXPECT_EQ(cut.of("f").bodyLoops, 0u); // a tile of 18 columns is three times 8, of which 6 are cut
}

TEST(KernelRuns, TurnsInWhichOthersAreComputedStayTurns) {
  const Ran blur(kBlur, inTurns(4) + "f compute_at g:yi");
  EXPECT_EQ(blur.of("g").bodyLoops, 0u);
}

TEST(KernelRuns, TurnsOfASumStayTurns) {
  const Ran sum("input in 64 4\nfunc s(x) 64 = \nupdate s(x) r:0:4! = s(x) in(x; r)\noutput s\n",
                "s gpu_blocks x\ns.1 reorder ~r x | gpu_blocks x");
  EXPECT_EQ(sum.of("s.update(0)").bodyLoops, 0u);
}

TEST(KernelRuns, EachRootIsAKernelOfItsOwn) {
  const Ran blur(kBlur, tiled("g") + tiled("f") + "f compute_root");
  ASSERT_EQ(blur.kernels(), 2u);
  EXPECT_EQ(blur.kernelOf("g").launch.blocks, 4 * 8);
  EXPECT_EQ(blur.kernelOf("f").launch.blocks, 5 * 8); // 66 columns need 5 tiles of 16
  EXPECT_THAT(blur.kernelOf("g").launch.blockThreads, ElementsAre(16, 8, 1));
  EXPECT_EQ(blur.kernelOf("g").launch.launches, 1);
  EXPECT_EQ(blur.space("f"), MemorySpace::Global);
}

TEST(KernelRuns, BlocksAreAsLargeAsTheirLargestStage) {
  const Ran blur(kBlur, tiled("g") + "f compute_at g:xo | gpu_threads x y");
  ASSERT_EQ(blur.kernels(), 1u);
  EXPECT_THAT(blur.kernelOf("g").launch.blockThreads, ElementsAre(18, 8, 1));
  EXPECT_THAT(blur.of("g").threads, ElementsAre(16, 8, 1));
  EXPECT_EQ(blur.kernelOf("g").launch.sharedBytes, 18 * 8 * 4);
  EXPECT_EQ(blur.space("f"), MemorySpace::Shared);
  EXPECT_THAT(blur.kernelOf("g").stages, ::testing::SizeIs(2));
}

TEST(KernelRuns, PaddingTakesSharedMemory) {
  const Ran blur(kBlur, tiled("g") + "f compute_at g:xo | gpu_threads x y | align_storage x 19");
  EXPECT_EQ(blur.kernelOf("g").launch.sharedBytes, 19 * 8 * 4);
}

// Halide gives a loop of one thread a dimension of the block, so the next loop is the z dimension.
TEST(KernelRuns, ALoopOfOneThreadHasADimensionOfTheBlock) {
  const Ran blur(kBlur, tiled("g") + "f compute_at g:xo | split y yo yi 1 guard_with_if | "
                                     "reorder x yi yo | gpu_threads x yi yo");
  EXPECT_THAT(blur.of("f").threads, ElementsAre(18, 1, 8));
  EXPECT_THAT(blur.kernelOf("g").launch.blockThreads, ElementsAre(18, 8, 8));
}

TEST(KernelRuns, ThreadsBeyondWhatThereIsAreNotActive) {
  const Ran small("func g(x y) 20 64 = \noutput g\n",
                  "g split x xo xi 32 guard_with_if | reorder xi y xo | gpu_threads xi | "
                  "gpu_blocks xo y");
  EXPECT_EQ(small.of("g").threads[0], 32);
  EXPECT_EQ(small.of("g").active[0], 20);
}

TEST(KernelRuns, LoopsOutsideOfTheBlocksAreLaunches) {
  const Ran sum("input in 64 64\nfunc s(x) 64 = \nupdate s(x) r:0:10 = s(x) in(x; r)\noutput s\n",
                "s split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
                "s.1 split x a b 32 guard_with_if | reorder b a ~r | gpu_threads b | gpu_blocks a");
  EXPECT_EQ(sum.kernelOf("s").launch.launches, 1);
  EXPECT_EQ(sum.kernelOf("s.update(0)").launch.launches, 10);
  EXPECT_EQ(sum.kernelOf("s.update(0)").launch.blocks, 2);
  EXPECT_EQ(sum.of("s.update(0)").bodies, 1);
}

TEST(KernelRuns, TurnsAroundAPlaceAreTimesThatItIsRun) {
  // A thread of g computes 8 rows one after the other, and computes f again for each.
  const Ran rows(kBlur, "g split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                        "reorder xi yi xo yo | gpu_threads xi | gpu_blocks xo yo\n"
                        "f compute_at g:yi | gpu_threads x");
  EXPECT_EQ(rows.of("g").bodies, 8);
  EXPECT_EQ(rows.of("f").times, 8);
  EXPECT_EQ(rows.of("f").bodies, 8);
}

TEST(KernelRuns, AFuncInAHostLoopIsLaunchedInEachIteration) {
  const Ran rows(kBlur, "g split y yo yi 8 guard_with_if | split x xo xi 16 guard_with_if | "
                        "reorder xi xo yi yo | gpu_threads xi | gpu_blocks xo yi\n"
                        "f compute_at g:yo | gpu_threads x | gpu_blocks y");
  EXPECT_EQ(rows.kernels(), 2u);
  EXPECT_EQ(rows.kernelOf("g").launch.launches, 8);
  EXPECT_EQ(rows.kernelOf("f").launch.launches, 8);
  EXPECT_EQ(rows.of("f").times, 1); // f runs once in each of its blocks
}

TEST(KernelRuns, TurnsAroundTurnsMultiply) {
  // 8 iterations over yi in g, 3 points of f in each of them, and one point of e for each point of
  // f.
  const Ran chain("func e(x y) 66 64 = \n"
                  "func f(x y) 66 64 = e(x; y)\n"
                  "func g(x y) 64 64 = f(x; y) f(x+1; y) f(x+2; y)\n"
                  "output g\n",
                  "g split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                  "reorder xi yi xo yo | gpu_threads xi | gpu_blocks xo yo\n"
                  "f compute_at g:xi\ne compute_at f:x");
  EXPECT_EQ(chain.of("f").times, 8);
  EXPECT_EQ(chain.of("e").times, 8 * 3);
}

TEST(KernelRuns, WhatIsLookedAtLiesInTheMiddle) {
  const Ran blur(kBlur, tiled("g") + "f compute_at g:xo | gpu_threads x y");
  EXPECT_THAT(blur.of("g").base, ElementsAre(Interval{32, 32}, Interval{32, 32}));
}

TEST(KernelRuns, ThreadsOfAFusedLoopWalkAlongItsInnermostPart) {
  const Ran fused("func g(x y) 64 64 = \noutput g\n",
                  "g fuse x y all | split all a b 128 guard_with_if | gpu_threads b | "
                  "gpu_blocks a");
  EXPECT_THAT(fused.of("g").threads, ElementsAre(128, 1, 1));
  EXPECT_THAT(fused.of("g").threadSteps[0], ElementsAre(1, 0));
}

TEST(KernelRuns, AGuardLetsAPartOfTheTurnsThrough) {
  // Three rows in two tiles of 2: in every thread, the guard skips the fourth row.
  const Ran cut("func g(x y) 64 3 = \noutput g\n",
                "g split x xo xi 16 guard_with_if | split y yo yi 2 guard_with_if | "
                "reorder xi yi yo xo | gpu_threads xi | gpu_blocks xo");
  EXPECT_DOUBLE_EQ(cut.of("g").bodies, 4 * 3.0 / 4);
}

TEST(KernelRuns, AGuardThatCutsTheLastBlockOrAWarpSavesNothing) {
  // 60 rows in blocks of 8: the guard skips iterations only in the last block.
  const Ran block("func g(x y) 64 60 = \noutput g\n",
                  "g split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                  "reorder xi yi xo yo | gpu_threads xi | gpu_blocks xo yo");
  EXPECT_EQ(block.of("g").bodies, 8);
  // 20 columns or rows in 3 iterations of 8 threads: in the last iteration, 4 threads have no work.
  // Along x, these are in a warp with other threads, so the warp still runs the iteration. Along y,
  // they fill a warp of their own, which has no work.
  const auto turns = [](const std::string &threads) {
    return Ran("func g(x y) 20 20 = \noutput g\n", "g " + threads + " | gpu_blocks o")
        .of("g")
        .bodies;
  };
  EXPECT_EQ(turns("split x xo xi 8 guard_with_if | split y o yi 4 guard_with_if | "
                  "reorder xi yi xo o | gpu_threads xi yi"),
            3);
  EXPECT_DOUBLE_EQ(turns("split y yo yi 8 guard_with_if | split x o xi 4 guard_with_if | "
                         "reorder xi yi yo o | gpu_threads xi yi"),
                   3 * 20.0 / 24);
}

TEST(KernelRuns, UnrolledLoopsAreTheBody) {
  const Ran unrolled(kBlur, "f compute_root | gpu_blocks x y\n"
                            "g split x xo xi 16 guard_with_if | split y yo yi 64 guard_with_if | "
                            "split yi yt yu 2 round_up | reorder yu yt xi xo yo | unroll yu | "
                            "gpu_threads xi | gpu_blocks xo yo");
  EXPECT_EQ(unrolled.of("g").bodyLoops, 1u);
  EXPECT_EQ(unrolled.of("g").bodies, 32);
  const auto base = unrolled.of("g").base;
  std::vector<Interval> over;
  unrolled.of("g").overBody(over);
  EXPECT_EQ(over[1], (Interval{base[1].min, base[1].min + 1}));
}

// f has no splits, or one that leaves a rest, along the unrolled y.
TEST(KernelRuns, WhatIsUnrolledAroundThreadsIsUnrolledInEach) {
  const auto bodyOf = [](const std::string &loops) {
    const Ran ran(kBlur, tiled("g") + "f compute_at g:xo | " + loops);
    const auto &run = ran.of("f");
    return std::pair(run.bodyLoops, run.bodies);
  };
  EXPECT_EQ(bodyOf("unroll y | gpu_threads x"), std::pair(std::size_t{1}, 1.0));
  EXPECT_EQ(bodyOf("gpu_threads x"), std::pair(std::size_t{0}, 8.0));
  // Each copy asks whether it is inside of the tile of eight rows.
  EXPECT_EQ(
      bodyOf("split y yo yi 3 guard_with_if | reorder x yi yo | unroll yi | gpu_threads x").first,
      0u);
  EXPECT_EQ(bodyOf("split y yo yi 4 guard_with_if | reorder x yi yo | unroll yi | gpu_threads x"),
            std::pair(std::size_t{1}, 2.0));
}

TEST(KernelRuns, AThreadsOwnTileMovesAsItsConsumerReads) {
  const std::string down = "func f(x y) 130 64 = \n"
                           "func g(x y) 64 64 = f(2*x; y) f(2*x+1; y)\n"
                           "output g\n";
  const Ran in(down, tiled("g") + "f compute_at g:xi");
  EXPECT_EQ(in.of("f").depth, schedule::Depth::Thread);
  EXPECT_THAT(in.of("f").threads, ElementsAre(16, 8, 1));
  // The next thread along x reads two elements further in a row of f.
  EXPECT_THAT(in.of("f").threadSteps[0], ElementsAre(2, 0));
  // The next thread along y reads the next row of f.
  EXPECT_THAT(in.of("f").threadSteps[1], ElementsAre(0, 1));
}

TEST(KernelRuns, RegistersHaveNoAddress) {
  const std::string tiles = tiled("g") + "f compute_at g:xi";
  // Only the loop of f indexes the values of f, and the body of g reads them one by one. LLVM makes
  // straight-line code of three iterations, but not of 66.
  EXPECT_EQ(Ran(kBlur, tiles).space("f"), MemorySpace::Registers);
  EXPECT_EQ(Ran("input in 130 66\n"
                "func f(x y) 129 64 = in(x; y) in(x; y+1) in(x; y+2)\n"
                "func g(x y) 64 64 = f(x; y) f(x+65; y)\noutput g\n",
                tiles)
                .space("f"),
            MemorySpace::Local);
  EXPECT_EQ(Ran(kBlur, tiles + " | unroll x").space("f"), MemorySpace::Registers);
  // Each iteration over yi computes f again, which needs no address.
  EXPECT_EQ(Ran(kBlur, "g split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                       "reorder xi yi xo yo | gpu_threads xi | gpu_blocks xo yo\n"
                       "f compute_at g:xi | unroll x")
                .space("f"),
            MemorySpace::Registers);
  // A single value needs no index.
  EXPECT_EQ(Ran("func f(x) 64 = \nfunc g(x) 64 = f(x)\noutput g\n",
                "g split x a b 16 guard_with_if | gpu_threads b | gpu_blocks a\nf compute_at g:b")
                .space("f"),
            MemorySpace::Registers);
}

TEST(KernelRuns, StorageThatWasChosenIsTheHome) {
  const std::string tiles = tiled("g") + "f compute_at g:xo | gpu_threads x y";
  EXPECT_EQ(Ran(kBlur, tiles + " | store_in global").space("f"), MemorySpace::Global);
  EXPECT_EQ(Ran(kBlur, tiles + " | store_in global").kernelOf("g").launch.sharedBytes, 0);
  EXPECT_EQ(Ran(kBlur, tiles + " | store_in shared").space("f"), MemorySpace::Shared);
}

} // namespace
} // namespace tessera::cost
