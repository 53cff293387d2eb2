// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/bounds.h"

#include "engine/schedule/bounds/bounds_room.h"
#include "engine/schedule/bounds/followed_bounds.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

namespace tessera::schedule {
namespace {

using pipeline::Box;
using pipeline::Interval;
using ::testing::ElementsAre;
using testing::scheduled;

class Measured {
public:
  Measured(std::string_view pipeline, std::string_view directives)
      : m_schedule(scheduled(pipeline, directives)), m_bounds(m_schedule) {}

  const Bounds::FuncBounds &func(std::string_view name) const {
    return m_bounds.of(testing::funcOf(m_schedule, name));
  }
  const Bounds::StageBounds &stage(std::string_view name) const {
    return m_bounds.of(testing::stageOf(m_schedule, name));
  }
  Box box(std::string_view name) const { return copied(func(name).computed); }
  Box stored(std::string_view name) const { return copied(func(name).stored); }
  std::vector<std::int64_t> extents(std::string_view name) const {
    std::vector<std::int64_t> extents;
    for (const Interval &side : func(name).computed)
      extents.push_back(side.extent());
    return extents;
  }

private:
  static Box copied(std::span<const Interval> box) { return {box.begin(), box.end()}; }

  Schedule m_schedule;
  Bounds m_bounds;
};

const std::string kBlur = "input in 66 66\n"
                          "func f(x y) 66 64 = in(x; y+[0,2])\n"
                          "func g(x y) 64 64 = f(x+[0,2]; y)\n"
                          "output g\n";
const std::string kTiles = "g split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                           "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";

TEST(Bounds, ARootIsAsLargeAsItsRegion) {
  const Measured blur(kBlur, "f compute_root");
  EXPECT_EQ(blur.box("f"), (Box{{0, 65}, {0, 63}}));
  EXPECT_EQ(blur.box("g"), (Box{{0, 63}, {0, 63}}));
  EXPECT_EQ(blur.func("f").depth, Depth::Host);
}

TEST(Bounds, LoopsOfATiledStage) {
  const Measured blur(kBlur, kTiles);
  EXPECT_THAT(blur.stage("g").dims, ElementsAre(64, 64));
  EXPECT_THAT(blur.stage("g").loops, ElementsAre(16, 8, 4, 8));
}

TEST(Bounds, AProducerInATileIsTheTileAndItsHalo) {
  const Measured blur(kBlur, kTiles + "f compute_at g:xo");
  // The box is that of a tile in the middle, because boundary conditions often cut the tiles at the
  // ends.
  EXPECT_EQ(blur.box("f"), (Box{{32, 49}, {40, 47}}));
  EXPECT_EQ(blur.stored("f"), blur.box("f"));
  EXPECT_THAT(blur.stage("f").loops, ElementsAre(18, 8));
}

// 2x and w are as far apart in the middle as 34, and 63 at the end, though √2 · 2 = √8.
TEST(Bounds, IndicesOfTwoDimensionsNeverMoveAlike) {
  const Measured sum(
      "func f(a) 127 = \nfunc g(x b c d e i w) 64 2 2 2 2 2 64 = f(2*x) f(w)\noutput g\n",
      "g gpu_blocks w | gpu_threads x\nf compute_at g:x");
  EXPECT_EQ(sum.stored("f")[0].extent(), 64);
}

TEST(Bounds, FurtherInTheTileIsSmaller) {
  EXPECT_THAT(Measured(kBlur, kTiles + "f compute_at g:yo").extents("f"), ElementsAre(66, 8));
  EXPECT_THAT(Measured(kBlur, kTiles + "f compute_at g:yi").extents("f"), ElementsAre(18, 1));
  EXPECT_THAT(Measured(kBlur, kTiles + "f compute_at g:xi").extents("f"), ElementsAre(3, 1));
}

TEST(Bounds, DepthFollowsTheLoopsAround) {
  const auto depth = [](const std::string &loop) {
    return Measured(kBlur, kTiles + "f compute_at g:" + loop).func("f").depth;
  };
  EXPECT_EQ(depth("yo"), Depth::Block);
  EXPECT_EQ(depth("xo"), Depth::Block);
  EXPECT_EQ(depth("yi"), Depth::Thread);
  EXPECT_EQ(depth("xi"), Depth::Thread);
  EXPECT_EQ(Measured(kBlur, "f compute_at g:x").func("f").depth, Depth::Host);
}

TEST(Bounds, DepthIsInherited) {
  const Measured chain("func e(x) 64 = \nfunc f(x) 64 = e(x)\nfunc g(x) 64 = f(x)\noutput g\n",
                       "g split x a b 8 guard_with_if | gpu_threads b | gpu_blocks a\n"
                       "f compute_at g:b\ne compute_at f:x");
  EXPECT_EQ(chain.func("e").depth, Depth::Thread);
  EXPECT_EQ(chain.func("e").kernel, chain.func("g").kernel);
  EXPECT_THAT(chain.extents("e"), ElementsAre(1));
}

TEST(Bounds, InlinedFuncsPassTheTileOn) {
  const Measured chain("input in 70 64\n"
                       "func e(x y) 68 64 = in(x; y)\n"
                       "func f(x y) 66 64 = e(x+[0,2]; y)\n"
                       "func g(x y) 64 64 = f(x+[0,2]; y)\n"
                       "output g\n",
                       kTiles + "e compute_at g:xo");
  EXPECT_THAT(chain.extents("e"), ElementsAre(16 + 2 + 2, 8));
}

TEST(Bounds, AChainInATileGrowsTowardsTheInputs) {
  const Measured chain("input in 70 64\n"
                       "func e(x y) 68 64 = in(x; y)\n"
                       "func f(x y) 66 64 = e(x+[0,2]; y)\n"
                       "func g(x y) 64 64 = f(x+[0,2]; y)\n"
                       "output g\n",
                       kTiles + "e compute_at g:xo\nf compute_at g:xo");
  EXPECT_THAT(chain.extents("f"), ElementsAre(18, 8));
  EXPECT_THAT(chain.extents("e"), ElementsAre(20, 8));
}

TEST(Bounds, StridedReadersNeedMore) {
  const Measured down("input in 130 130\n"
                      "func f(x y) 130 64 = in(x; y)\n"
                      "func g(x y) 64 64 = f(2*x+[0,1]; y)\n"
                      "output g\n",
                      kTiles + "f compute_at g:xo");
  EXPECT_THAT(down.extents("f"), ElementsAre(2 * 16, 8));
  const Measured up("func f(x y) 33 64 = \nfunc g(x y) 64 64 = f(x/2+[0,1]; y)\noutput g\n",
                    kTiles + "f compute_at g:xo");
  EXPECT_THAT(up.extents("f"), ElementsAre(16 / 2 + 1, 8));
}

TEST(Bounds, TwoReadersNeedTheHull) {
  const Measured both("func e(x y) 80 64 = \n"
                      "func f(x y) 66 64 = e(x+[4,5]; y)\n"
                      "func g(x y) 64 64 = f(x+[0,2]; y) e(x+[0,1]; y)\n"
                      "output g\n",
                      kTiles + "e compute_at g:xo\nf compute_at g:xo");
  EXPECT_EQ(both.func("e").computed[0], (Interval{32, 47 + 2 + 5}));
}

TEST(Bounds, AReaderOutsideOfThePlaceIsNotReached) {
  const std::string pipeline = "func e(x) 64 = \nfunc f(x) 64 = e(x)\n"
                               "func g(x) 64 = f(x) e(x)\noutput g\n";
  EXPECT_FALSE(Measured(pipeline, "f compute_root\ne compute_at g:x").func("e").reached);
  EXPECT_TRUE(Measured(pipeline, "f compute_at g:x\ne compute_at g:x").func("e").reached);
  EXPECT_TRUE(Measured(pipeline, "e compute_at g:x").func("e").reached);
}

TEST(Bounds, ReductionLoopsAreWholeUntilTheyAreFixed) {
  const std::string pipeline = "input in 64 64\n"
                               "func f(x y) 64 64 = in(x; y)\n"
                               "func s(x) 64 = \n"
                               "update s(x) r:0:64 = s(x) f(x; r)\n"
                               "output s\n";
  EXPECT_THAT(Measured(pipeline, "s.1 reorder ~r x\nf compute_at s.1:x").extents("f"),
              ElementsAre(1, 64));
  EXPECT_THAT(Measured(pipeline, "s.1 reorder ~r x\nf compute_at s.1:~r").extents("f"),
              ElementsAre(1, 1));
  EXPECT_THAT(Measured(pipeline, "f compute_at s.1:~r").extents("f"), ElementsAre(1, 1));
  EXPECT_THAT(Measured(pipeline, "s.1 split ~r ~a ~b 16 auto\nf compute_at s.1:~a").extents("f"),
              ElementsAre(1, 16));
}

TEST(Bounds, UpdatesTouchMoreThanOthersRead) {
  const Measured scan("input in 64\n"
                      "func s(x) 64 = \n"
                      "update s(r) r:0:64 = s(r+-1) in(r)\n"
                      "func g(x) 64 = s(x)\n"
                      "output g\n",
                      "g split x a b 8 guard_with_if | gpu_blocks a\ns compute_at g:a");
  EXPECT_THAT(scan.extents("s"), ElementsAre(65)); // s is stored from 0 on, and read from -1 on
  EXPECT_THAT(scan.stage("s.update(0)").loops, ElementsAre(64));
}

TEST(Bounds, DataDependentReadersNeedEverything) {
  const Measured table("func f(i) 256 = \nfunc g(x y) 64 64 = f(?)\noutput g\n",
                       kTiles + "f compute_at g:xo");
  EXPECT_EQ(table.box("f"), (Box{{0, 255}}));
  EXPECT_EQ(table.func("f").extent(), Extent::Whole);
}

TEST(Bounds, FusedLoopsFixAllTheirDimensions) {
  const std::string fused = "g fuse x y a | split a b c 32 guard_with_if | gpu_threads c | "
                            "gpu_blocks b\n";
  EXPECT_THAT(Measured(kBlur, fused + "f compute_at g:c").extents("f"), ElementsAre(3, 1));
  // A block has 32 iterations of the fused loop, so the ranges of both dimensions are unknown.
  EXPECT_THAT(Measured(kBlur, fused + "f compute_at g:b").extents("f"), ElementsAre(66, 64));
}

// --- what Halide knows of an extent at compile time

TEST(Bounds, TilesAreFixedAndRootsAreNot) {
  const Measured tiled(kBlur, kTiles + "f compute_at g:xo");
  EXPECT_THAT(tiled.func("f").extents, ElementsAre(Extent::Guarded, Extent::Guarded));
  EXPECT_EQ(tiled.func("f").extent(), Extent::Guarded);
  EXPECT_THAT(tiled.stage("g").extents, ElementsAre(Extent::Whole, Extent::Whole));
  const Measured rows(kBlur, kTiles + "f compute_at g:yo");
  EXPECT_THAT(rows.func("f").extents, ElementsAre(Extent::Whole, Extent::Guarded));
  EXPECT_EQ(rows.func("f").extent(), Extent::Whole);
}

TEST(Bounds, TilesOfWhatIsNoOutputEndSomewhere) {
  const Measured trimmed("func e(x) 130 = \nfunc f(x) 64 = e(x+[0,2])\nfunc g(x) 64 = f(x)\n"
                         "output g\n",
                         "f compute_root | split x a b 16 guard_with_if | gpu_threads b | "
                         "gpu_blocks a\ne compute_at f:a");
  EXPECT_EQ(trimmed.func("e").extents[0], Extent::Unknown);
}

TEST(Bounds, ATileInAKernelIsNoLongerThanWhatItIsATileOf) {
  const Measured long_("func f(x) 70 = \nfunc e(x) 68 = f(x+[0,2])\nfunc g(x) 64 = e(x+[0,4])\n"
                       "output g\n",
                       "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
                       "e compute_at g:a | split x u v 256 guard_with_if | gpu_threads v\n"
                       "f compute_at e:u");
  EXPECT_THAT(long_.extents("e"), ElementsAre(36));
  EXPECT_THAT(long_.extents("f"), ElementsAre(38));
}

TEST(Bounds, WhatIsPromisedIsFixed) {
  EXPECT_THAT(Measured(kBlur, "g bound_extent x 64").stage("g").extents,
              ElementsAre(Extent::Fixed, Extent::Whole));
  EXPECT_THAT(Measured(kBlur, "g bound x 0 64").stage("g").extents,
              ElementsAre(Extent::Constant, Extent::Whole));
  EXPECT_THAT(Measured("func g(x) 64 = \noutput g fixed\n", "").stage("g").extents,
              ElementsAre(Extent::Fixed));
  EXPECT_THAT(Measured("func s(x) 64 = \nupdate s(x) r:0:3:fixed q:0:5 = s(x)\noutput s\n", "")
                  .stage("s.update(0)")
                  .extents,
              ElementsAre(Extent::Constant, Extent::Whole, Extent::Whole));
}

TEST(Bounds, APromisedMultipleRoundsTheRegionOutwards) {
  const Measured aligned("func g(x) 100 = \noutput g\n", "g align_bounds x 32 0");
  EXPECT_EQ(aligned.box("g"), (Box{{0, 127}}));
  const Measured shifted("func g(x) 100 = \noutput g\n", "g align_bounds x 32 1");
  EXPECT_EQ(shifted.box("g"), (Box{{-31, 128 - 32 + 32}}));
}

TEST(Bounds, ABoundaryConditionLeavesOfAGuardedTileLittle) {
  const Measured clamped("func f(x y) 64 64 = \n"
                         "func g(x y) 64 64 = f(clamp(x+[-1,1],0,63); y)\noutput g\n",
                         kTiles + "f compute_at g:xo");
  EXPECT_THAT(clamped.extents("f"), ElementsAre(18, 8));
  EXPECT_THAT(clamped.func("f").extents, ElementsAre(Extent::Loose, Extent::Guarded));
}

TEST(Bounds, OfAPointThatABoundaryCutsTheWholeStencilIsKept) {
  const Measured point("func f(x) 64 = \n"
                       "func g(x) 64 = f(clamp(x-2,0,63)) f(clamp(x,0,63)) f(clamp(x+2,0,63))\n"
                       "output g\n",
                       "g split x a b 16 guard_with_if | gpu_threads b | gpu_blocks a\n"
                       "f compute_at g:b");
  EXPECT_THAT(point.extents("f"), ElementsAre(5));
}

TEST(Bounds, WhatDivisionsCutIsKeptAsHalideCountsIt) {
  const Measured levels("func e(x) 17 = \nfunc f(x) 33 = e(x/2) e(x/2+1)\n"
                        "func g(x) 64 = f(x/2) f(x/2+1)\nfunc h(x) 63 = g(x) g(x+1)\noutput h\n",
                        "h split x a b 16 guard_with_if | gpu_threads b | gpu_blocks a\n"
                        "g compute_at h:b\nf compute_at g:x\ne compute_at h:b");
  EXPECT_EQ(levels.stored("f")[0].extent(), 2);
  EXPECT_EQ(levels.stored("e")[0].extent(), 4); // more than the 3 elements of e that h needs
}

TEST(Bounds, ADivisionLeavesATileLooseUnlessItsStartDivides) {
  const auto halved = [&](const std::string &directives) {
    return Measured("func f(x y) 33 64 = \nfunc g(x y) 64 64 = f(x/2; y)\noutput g\n",
                    directives + "f compute_at g:xo")
        .func("f")
        .extents.front();
  };
  EXPECT_EQ(halved(kTiles), Extent::Loose); // Halide does not know where the output begins
  EXPECT_EQ(halved("g align_bounds x 2 0\n" + kTiles), Extent::Guarded);
}

TEST(Bounds, HowFarIsBetweenReadersThatDoNotMoveAlikeHalideCannotTell) {
  const std::string_view pipeline = "func f(x) 64 = \nfunc e(x) 16 = f(x/4)\n"
                                    "func g(x) 16 = e(x) f(x)\noutput g\n";
  const std::string tiles = "g split x a b 4 guard_with_if | gpu_threads b | gpu_blocks a\n";
  EXPECT_EQ(Measured(pipeline, tiles + "f compute_at g:b").func("f").extents[0], Extent::Unknown);
}

// g reads f at x and at clamp(x, 16, 47). In the middle both reads are the same element; at the
// ends they are 16 elements apart.
TEST(Bounds, ReadersThatABoundaryStopsApartAreFurthestApartAtTheEnds) {
  const std::string tiles = "g split x a b 16 guard_with_if | gpu_threads b | gpu_blocks a\n";
  const Measured apart("func f(x) 64 = \nfunc g(x) 64 = f(clamp(x,16,47)) f(x)\noutput g\n",
                       tiles + "f compute_at g:b");
  EXPECT_EQ(apart.stored("f")[0].extent(), 17);
  const Measured together("func f(x) 64 = \n"
                          "func g(x) 64 = f(clamp(x,16,47)) f(clamp(x+1,16,47))\noutput g\n",
                          tiles + "f compute_at g:b");
  EXPECT_EQ(together.stored("f")[0].extent(), 2);
}

// y and (x + y) / 8 are furthest apart at the first x of the last y, where neither all loops are at
// their beginning nor all at their end. One more is for a division that may begin anywhere.
// 2x and x are 50 apart where the boundary stops 2x, and 1 or less at both ends. How far they are
// apart anywhere in between is not worked out: what a thread keeps may be all. A block has room for
// as much as Halide asks for at the launch.
TEST(Bounds, WhereABoundaryStopsOneOfTwoReadersAThreadKeepsRoomForAll) {
  const std::string pipeline = "func f(x) 100 = \nfunc g(x) 100 = f(clamp(x,0,99)) "
                               "f(clamp(2*x,0,99))\noutput g\n";
  const std::string tiles = "g split x a b 4 guard_with_if | gpu_threads b | gpu_blocks a\n";
  EXPECT_EQ(Measured(pipeline, tiles + "f compute_at g:b").stored("f")[0].extent(), 100);
  EXPECT_LT(Measured(pipeline, tiles + "f compute_at g:a").stored("f")[0].extent(), 100);
}

TEST(Bounds, AMirroredReaderAtAnOuterLoopIsFirstWhereTheOtherIsLast) {
  const Measured sums("func f(x) 64 = \nupdate f(0) = f(0)\nfunc h(x) 64 = f(x)\n"
                      "func g(x) 64 = h(-1*x+63)\noutput g\n",
                      "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
                      "h compute_at g:a | split x p q 8 guard_with_if | gpu_threads q\n"
                      "f compute_at h:q");
  EXPECT_EQ(sums.stored("f")[0].extent(), 64);
}

TEST(Bounds, ReadersAlongTwoDimensionsAreFurthestApartAtACorner) {
  const Measured apart("func f(x) 128 = \nfunc g(x y) 256 128 = f(y) f(x+y/8)\noutput g\n",
                       "g split x a b 8 guard_with_if | split y c d 8 guard_with_if | "
                       "reorder d b a c | gpu_threads a | gpu_blocks c\nf compute_at g:a");
  EXPECT_EQ(apart.stored("f")[0].extent(), 127 - 120 / 8 + 1 + 1);
}

TEST(Bounds, WhatIsShiftedInsideOfACutTileHalideCannotFollow) {
  const auto extent = [](const std::string &tail) {
    return Measured("func e(x) 60 = \nfunc f(x) 60 = e(x)\nfunc g(x) 60 = f(x)\noutput g\n",
                    "g split x a b 16 guard_with_if | gpu_threads b | gpu_blocks a\n"
                    "f compute_at g:a | split x c d 8 " +
                        tail + "\ne compute_at g:a")
        .func("e")
        .extents[0];
  };
  EXPECT_EQ(extent("shift_inwards"), Extent::Unknown);
  EXPECT_EQ(extent("round_up"), Extent::Guarded);
}

// This case comes from the func s14_mask in random schedule 195 of synthetic100. `parts` splits the
// 36 points of b into parts of 4. A guard and the boundaries at both ends cut these parts. In
// Halide's bounds, the last part may be as long as all parts together.
TEST(Bounds, WhereAPartBeginsAnywhereTheLastOneMayBeAsLongAsAll) {
  const auto kept = [](const std::string &parts) {
    return Measured("func e(x y) 512 64 = \nfunc f(x y) 1024 64 = e(clamp(x/2+[-1,1],0,511); y)\n"
                    "func b(x y) 1024 64 = f(clamp(x,0,1023); y)\n"
                    "func g(x y) 1024 64 = b(clamp(x+[-2,2],0,1023); y)\noutput g\n",
                    "g split x a v 32 guard_with_if | split y c t 8 guard_with_if | "
                    "reorder v t a c | gpu_threads t | gpu_blocks a c\n"
                    "b compute_at g:t" +
                        parts + "e compute_at g:t")
        .stored("e")[0]
        .extent();
  };
  EXPECT_EQ(kept("\nf compute_at g:t\n"), 21);
  EXPECT_EQ(kept(" | split x p q 4 guard_with_if\nf compute_at b:p\n"), 37);
}

TEST(Bounds, OfAFusedLoopThatIsCutHalideSeesNothing) {
  const auto extents = [](const std::string &directives) {
    const Measured fused(kBlur, "g fuse x y all | " + directives);
    return std::vector(fused.func("f").extents.begin(), fused.func("f").extents.end());
  };
  EXPECT_THAT(extents("split all a b 8 guard_with_if | gpu_threads b | gpu_blocks a\n"
                      "f compute_at g:a"),
              ElementsAre(Extent::Unknown, Extent::Unknown));
  EXPECT_THAT(extents("gpu_blocks all\nf compute_at g:all"),
              ElementsAre(Extent::Fixed, Extent::Fixed));
}

// A tile of g has 10 columns and reads 12 columns of f. f is computed in tiles of 8.
TEST(Bounds, TailsComputeAndKeepMoreThanIsNeeded) {
  const auto stored = [](const std::string &tail) {
    return Measured(kBlur, "g split x a b 10 guard_with_if | gpu_threads b | gpu_blocks a y\n"
                           "f compute_at g:a | split x c d 8 " +
                               tail)
        .stored("f");
  };
  EXPECT_EQ(stored("guard_with_if")[0], (Interval{30, 41}));
  EXPECT_EQ(stored("round_up")[0], (Interval{30, 45}));
  EXPECT_EQ(stored("shift_inwards")[0], (Interval{30, 41}));
}

TEST(Bounds, WhatIsShiftedBackInAThreadMayBeginBeforeWhatIsRead) {
  const Measured shifted("func e(x) 64 = \nfunc f(x) 64 = e(x)\nfunc g(x) 64 = f(x)\noutput g\n",
                         "g split x a b 16 guard_with_if | gpu_threads b | gpu_blocks a\n"
                         "f compute_at g:b | split x c d 8 round_up\n"
                         "e compute_at g:b | split x p q 8 shift_inwards");
  EXPECT_EQ(shifted.stored("e")[0].extent(), 8 + 7);
}

// h is computed in parts of 2 that a boundary and guards cut, so Halide cannot tell how much of f a
// part reads.
TEST(Bounds, APartOfWhatAThreadKeepsIsWholeToHalideWhereItsLengthIsNotKnown) {
  const auto kept = [](const std::string &split, const std::string &place) {
    return Measured("func e(x) 64 = \nfunc f(x) 64 = e(x)\nfunc h(x) 64 = f(x)\n"
                    "func g(x) 64 = h(clamp(x+[-1,1],0,63))\noutput g\n",
                    "g split x a b 32 guard_with_if | split b t i 2 guard_with_if | "
                    "gpu_threads t | gpu_blocks a\n"
                    "h compute_at g:t | split x p q 2 guard_with_if\nf compute_at h:p" +
                        split + "\ne compute_at " + place)
        .stored("e")[0]
        .extent();
  };
  const std::string split = " | split x c d 8 guard_with_if";
  const std::int64_t whole = kept("", "g:t");
  EXPECT_EQ(kept(split, "g:t"), whole + 6);
  EXPECT_EQ(kept("", "h:p"), 2);
  EXPECT_EQ(kept(split, "f:c"), 8);
  EXPECT_EQ(kept(split, "f:d"), 1);
  EXPECT_EQ(kept(split, "g:a"), kept("", "g:a")); // if a block keeps e, the split has no effect
}

// A tile of 8 points of g reads 4 of f if it begins at a multiple of 8. With 61 points, the last
// tile is shifted back to begin at 53 and reads 5, from 26 to 30.
TEST(Bounds, WhatIsReadOfATileThatMayBeShiftedIsEnoughWhereverItBegins) {
  const auto kept = [](const std::string &size, const std::string &directives) {
    auto parts = pipeline::test::sketchParts("func f(x) 32 = \nfunc g(x) 64 = f(x/2)\noutput g" +
                                             size + "\n");
    parts.outputs.front().dims.front().fixedMin = true;
    const Schedule schedule = scheduled(*pipeline::Pipeline::create(std::move(parts)),
                                        directives + " | gpu_blocks a\nf compute_at g:a");
    return Bounds(schedule).of(testing::funcOf(schedule, "f")).stored[0].extent();
  };
  EXPECT_EQ(kept("", "g split x a b 8 guard_with_if"), 4);
  EXPECT_EQ(kept("", "g split x a b 8 shift_inwards"), 5);
  EXPECT_EQ(kept("", "g align_bounds x 2 0\ng split x a b 8 shift_inwards"), 4);
  EXPECT_EQ(kept(" fixed", "g split x a b 8 shift_inwards"), 4);
}

TEST(Bounds, StorageMayBeFurtherOut) {
  const Measured apart(kBlur, kTiles + "f compute_at g:xi | store_at g:xo");
  EXPECT_THAT(apart.extents("f"), ElementsAre(3, 1));
  EXPECT_EQ(apart.stored("f"), (Box{{32, 49}, {40, 47}}));
  EXPECT_EQ(apart.func("f").depth, Depth::Thread);
  EXPECT_EQ(apart.func("f").storeDepth, Depth::Block);
}

TEST(Bounds, ATileLargerThanTheWholeIsCutToIt) {
  const Measured blur(kBlur, "g split x a b 128 guard_with_if | gpu_blocks a\nf compute_at g:a");
  EXPECT_THAT(blur.stage("g").loops, ElementsAre(128, 1, 64));
}

void expectSame(const Bounds &one, const Bounds &other, const Schedule &schedule) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  for (std::uint32_t f = 0; f < pipeline.funcs().size(); ++f) {
    const Bounds::FuncBounds &a = one.of(pipeline::FuncId{f}), &b = other.of(pipeline::FuncId{f});
    EXPECT_TRUE(std::ranges::equal(a.computed, b.computed)) << pipeline.funcs()[f].name;
    EXPECT_TRUE(std::ranges::equal(a.stored, b.stored)) << pipeline.funcs()[f].name;
    EXPECT_EQ(a.depth, b.depth);
    EXPECT_EQ(a.kernel, b.kernel);
  }
  for (std::uint32_t s = 0; s < pipeline.stages().size(); ++s) {
    const Bounds::StageBounds &a = one.of(pipeline::StageId{s}),
                              &b = other.of(pipeline::StageId{s});
    EXPECT_TRUE(std::ranges::equal(a.dims, b.dims)) << s;
    EXPECT_TRUE(std::ranges::equal(a.loops, b.loops)) << s;
  }
}

TEST(Bounds, InTheRoomOfAnotherAsFromNothing) {
  const std::vector<pipeline::FuncId> g{pipeline::FuncId{1}}, both{pipeline::FuncId{0}, g[0]};
  ShapeRoom room;
  std::optional<FollowedBounds> followed;
  for (const std::string f : {"f compute_at g:xo", "f compute_root", "f compute_at g:xi"}) {
    // In each iteration, the schedule has a new pipeline.
    const Schedule schedule = scheduled(kBlur, kTiles + f);
    for (const auto *funcs : {&both, &g, &both}) {
      expectSame(room.measure(schedule, *funcs), Bounds(schedule, *funcs), schedule);
    }
    if (followed)
      followed->renew(schedule);
    else
      followed.emplace(schedule);
    expectSame(followed->bounds(), Bounds(schedule), schedule);
  }
}

TEST(Bounds, FuncsOneByOneAsAllAtOnce) {
  const pipeline::FuncId f{0}, g{1};
  const Schedule first = scheduled(kBlur, kTiles + "f compute_at g:xo");
  const Schedule then = scheduled(kBlur, kTiles + "f compute_at g:xi | unroll x");
  ShapeRoom room;
  SizesSoFar sizes = room.begin(first);
  sizes.add(first, g);
  sizes.add(first, f);
  expectSame(sizes.bounds(), Bounds(first, std::vector{f, g}), first);
  Schedule last = first;
  last.set(f, then.plan(f));
  sizes.add(last, f);
  expectSame(sizes.bounds(), Bounds(last, std::vector{f, g}), last);
}

TEST(Bounds, TheRestOfWhatIsMeasuredGoesIntoAnotherRoom) {
  const pipeline::FuncId f{0}, g{1};
  const Schedule schedule = scheduled(kBlur, kTiles + "f compute_at g:xo");
  ShapeRoom room, other;
  SizesSoFar sizes = room.begin(schedule);
  sizes.add(schedule, g);
  const Bounds &all = std::move(sizes).finish(schedule, std::vector{f, g}, other);
  room.measure(schedule, std::vector{g}); // this must not change `all`
  expectSame(all, Bounds(schedule, std::vector{f, g}), schedule);
}

// The types allow no add() or follow() before a begin().
template <typename T>
concept CanAdd = requires(T to, const Schedule &schedule, pipeline::FuncId func) {
  to.add(schedule, func);
};
template <typename T>
concept CanFollow = requires(T of, const Schedule &schedule) {
  of.follow(schedule, {});
};
static_assert(CanAdd<SizesSoFar> && !CanAdd<Bounds> && !CanAdd<ShapeRoom> &&
              !CanAdd<FollowedBounds>);
static_assert(CanFollow<FollowedBounds> && !CanFollow<Bounds> && !CanFollow<SizesSoFar>);
static_assert(!std::is_default_constructible_v<Bounds>);
static_assert(!std::is_default_constructible_v<SizesSoFar>);
static_assert(!std::is_default_constructible_v<FollowedBounds>);

} // namespace
} // namespace tessera::schedule
