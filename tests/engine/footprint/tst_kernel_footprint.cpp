// SPDX-License-Identifier: MIT
#include "tests/engine/footprint/footprinted.h"

#include <gmock/gmock.h>

namespace tessera::footprint {
namespace {

using cost::MemorySpace;
using ::testing::ElementsAre;
using testing::Footprinted;
using testing::kFigure4;
using testing::kNested;

// "assume that the output stage Z is tiled with a 32×12 tile … the dimensions of the thread block
// will be 32×16, causing 512 threads per block in total and 2,048 bytes allocated in the shared
// memory" (section 3).
TEST(KernelFootprint, IsThatOfFigure4) {
  const Footprinted of(kFigure4, kNested, "z");
  EXPECT_THAT(of.extents("z", Level::Block), ElementsAre(32, 12));
  EXPECT_THAT(of.extents("w", Level::Block), ElementsAre(32, 16));
  EXPECT_EQ(of.kernel().launch.threads(), 512);
  EXPECT_EQ(of.kernel().launch.sharedBytes, 2048);
  const Entry &w = of.entry("w");
  EXPECT_EQ(w.role, Role::Member);
  EXPECT_EQ(w.memory, MemorySpace::Shared);
  EXPECT_EQ(w.storedBytes, 2048);
  EXPECT_EQ(w.at(Level::Block).bytes, 2048);
  EXPECT_EQ(of.kernel().bytesAt(Level::Block).shared, 2048);
  EXPECT_EQ(w.at(Level::Block).points, 512);
  EXPECT_EQ(w.at(Level::Block).own, 384); // 12 of 16 rows; neighbouring blocks own the rest
  EXPECT_NEAR(w.at(Level::Block).shared(), 1. / 3, 1e-9);
  ASSERT_TRUE(w.redundancy);
  EXPECT_NEAR(*w.redundancy, 1. / 3, 1e-9);
}

TEST(KernelFootprint, HalosAreThoseOfTheStencil) {
  const Footprinted of(kFigure4, kNested, "z");
  const LevelBox &w = of.entry("w").at(Level::Block);
  EXPECT_EQ(w.sides[0].before, 0);
  EXPECT_EQ(w.sides[0].after, 0);
  EXPECT_EQ(w.sides[0].overlap, 0);
  EXPECT_EQ(w.sides[1].before, 0);
  EXPECT_EQ(w.sides[1].after, 4);
  EXPECT_EQ(w.sides[1].overlap, 4);
  EXPECT_EQ(w.sides[1].step, 12);
  EXPECT_EQ(w.sides[1].movedBy, 1U);
  EXPECT_EQ(w.sides[1].scale, 1);
  const LevelBox &e = of.entry("e").at(Level::Block);
  EXPECT_THAT(of.extents("e", Level::Block), ElementsAre(35, 16));
  EXPECT_EQ(e.sides[0].after, 3);
  EXPECT_EQ(e.bytes, 35 * 16); // inputs have one byte here
}

TEST(KernelFootprint, WhatThreadsKeepIsCountedForEachOfThem) {
  const Footprinted of(kFigure4, kNested, "z");
  const Entry &k = of.entry("k");
  EXPECT_EQ(k.memory, MemorySpace::Registers);
  EXPECT_EQ(k.storedBytes, 12);
  EXPECT_EQ(k.at(Level::Thread).bytes, 12);
  EXPECT_EQ(k.at(Level::Warp).bytes, 12 * 32);
  EXPECT_EQ(k.at(Level::Block).bytes, 12 * 512);
  EXPECT_EQ(of.kernel().bytesAt(Level::Block).registers, 12 * 512);
  ASSERT_TRUE(k.redundancy); // k is in the threads of w, so it is recomputed as often
  EXPECT_NEAR(*k.redundancy, 1. / 3, 1e-9);
}

TEST(KernelFootprint, EachLevelHasATileOfItsOwn) {
  const Footprinted of(kFigure4, kNested, "z");
  EXPECT_THAT(of.extents("w", Level::Thread), ElementsAre(1, 5));
  EXPECT_THAT(of.extents("w", Level::Warp), ElementsAre(32, 5));
  EXPECT_THAT(of.extents("w", Level::Grid), ElementsAre(1536, 2564));
  EXPECT_EQ(of.kernel().tile(Level::Block).count(), 48 * 214);
  // A warp reads five rows of w and owns one. The last warp also owns the last four rows.
  EXPECT_NEAR(of.entry("w").at(Level::Warp).shared(), 5. * 2560 / 2564 - 1, 1e-9);
  EXPECT_EQ(of.entry("w").at(Level::Grid).shared(), 0);
  EXPECT_EQ(of.entry("z").at(Level::Block).shared(), 0);
}

TEST(KernelFootprint, AnotherTileCanBeLookedAt) {
  const std::int64_t at[] = {1, 2};
  const Footprinted of(kFigure4, kNested, "z", at);
  EXPECT_EQ(of.entry("w").at(Level::Block).sides[0].range, (pipeline::Interval{32, 63}));
  EXPECT_EQ(of.entry("w").at(Level::Block).sides[1].range, (pipeline::Interval{24, 39}));
  const std::int64_t beyond[] = {0, 100000};
  EXPECT_EQ(Footprinted(kFigure4, kNested, "z", beyond).kernel().tile(Level::Block).sides[1].index,
            213);
}

constexpr std::string_view kTiled =
    "g split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | reorder xi yi xo yo | "
    "gpu_threads xi yi | gpu_blocks xo yo\n";

TEST(KernelFootprint, PyramidsHaveAScaleOfTheirOwn) {
  const std::string up = "input in 256 256\n"
                         "func f(x y) 256 256 = in(x; y)\n"
                         "func g(x y) 1024 1024 = f(x/4; y/4)\noutput g\n";
  const Footprinted of(up, "f compute_at g:xo | gpu_threads x y\n" + std::string(kTiled), "g");
  EXPECT_THAT(of.extents("f", Level::Block), ElementsAre(8, 2));
  EXPECT_EQ(of.entry("f").at(Level::Block).sides[0].scale, 0.25);
  EXPECT_EQ(of.entry("f").at(Level::Block).sides[0].step, 8);
  EXPECT_EQ(of.entry("f").at(Level::Block).sides[0].before, 0);
  EXPECT_NEAR(*of.entry("f").redundancy, 0, 1e-9);
  // 4 × 4 neighbouring threads need the same element.
  EXPECT_NEAR(of.entry("f").at(Level::Thread).shared(), 15, 1e-9);

  const std::string down = "input in 2050 2050\n"
                           "func f(x y) 2050 2050 = in(x; y)\n"
                           "func g(x y) 1024 1024 = f(2*x+[0,1]; 2*y+[0,2])\noutput g\n";
  const Footprinted halved(down, "f compute_at g:xo | gpu_threads x y\n" + std::string(kTiled),
                           "g");
  EXPECT_THAT(halved.extents("f", Level::Block), ElementsAre(64, 17));
  EXPECT_EQ(halved.entry("f").at(Level::Block).sides[1].scale, 2);
  EXPECT_EQ(halved.entry("f").at(Level::Block).sides[0].after, 0);
  EXPECT_EQ(halved.entry("f").at(Level::Block).sides[1].after, 1);
  EXPECT_NEAR(*halved.entry("f").redundancy, 64. * 17 * 32 * 128 / (2048. * 2049) - 1, 1e-9);
}

TEST(KernelFootprint, SaysWhyABoxIsTheWhole) {
  const std::string lut = "input in 1024 1024\nfunc t(i) 256 = \n"
                          "func g(x y) 1024 1024 = in(x; y) t([0,255]?)\noutput g\n";
  const Footprinted of(lut, "t compute_root | gpu_threads i\n" + std::string(kTiled), "g");
  const Entry &t = of.entry("t");
  EXPECT_EQ(t.role, Role::Read);
  EXPECT_TRUE(t.isWhole());
  EXPECT_FALSE(of.entry("in").isWhole());
  EXPECT_FALSE(t.chosenBy[0].empty());
  EXPECT_THAT(of.extents("t", Level::Thread), ElementsAre(256));
  EXPECT_FALSE(t.at(Level::Thread).sides[0].movedBy);
  EXPECT_FALSE(t.redundancy);
}

TEST(KernelFootprint, InlinedFuncsHaveABoxAndNoMemory) {
  const std::string blur = "input in 1026 1026\n"
                           "func f(x y) 1026 1024 = in(x; y) in(x; y+1) in(x; y+2)\n"
                           "func g(x y) 1024 1024 = f(x; y) f(x+1; y) f(x+2; y)\noutput g\n";
  const Footprinted of(blur, kTiled, "g");
  const Entry &f = of.entry("f");
  EXPECT_EQ(f.role, Role::Inlined);
  EXPECT_FALSE(f.memory);
  EXPECT_EQ(f.at(Level::Block).bytes, 0);
  EXPECT_THAT(of.extents("f", Level::Block), ElementsAre(34, 8));
  ASSERT_TRUE(f.redundancy); // each point of g evaluates f three times
  EXPECT_NEAR(*f.redundancy, 3. * 1024 * 1024 / (1026. * 1024) - 1, 1e-9);
  EXPECT_THAT(of.extents("in", Level::Thread), ElementsAre(3, 3));
}

TEST(KernelFootprint, AReductionRunsOverItsWholeRange) {
  const std::string sum = "input in 1026 64\n"
                          "func g(x y) 1024 64 = \n"
                          "update g(x y) r:0:3 = g(x; y) in(x+r; y)\noutput g\n";
  const Footprinted of(sum,
                       "g compute_root\ng.1 split x xo xi 32 guard_with_if | reorder ~r xi xo y | "
                       "gpu_threads xi | gpu_blocks xo y",
                       "g.update(0)");
  EXPECT_THAT(of.extents("in", Level::Thread), ElementsAre(3, 1));
  EXPECT_THAT(of.extents("in", Level::Block), ElementsAre(34, 1));
  // x moves the box, r only makes it longer.
  const BoxSide &side = of.entry("in").at(Level::Block).sides[0];
  ASSERT_TRUE(side.movedBy);
  EXPECT_EQ(of.kernel().loops[*side.movedBy], "x");
  EXPECT_EQ(side.after, 2);
  EXPECT_EQ(of.entry("g").role, Role::Output);
}

TEST(KernelFootprint, FuncsOfOtherKernelsAreRead) {
  const std::string two = "input in 64 64\nfunc f(x y) 64 64 = in(x; y)\n"
                          "func g(x y) 64 64 = f(x; y)\noutput g\n";
  const Footprinted of(two, "f compute_root | gpu_threads x | gpu_blocks y\n" + std::string(kTiled),
                       "g");
  EXPECT_EQ(of.entry("f").role, Role::Read);
  EXPECT_EQ(of.entry("f").memory, MemorySpace::Global);
  EXPECT_THROW(static_cast<void>(of.entry("in")), std::invalid_argument);
  const Footprints all(of.schedule(), {});
  ASSERT_EQ(all.kernels().size(), 2U); // in the order of their launches
  EXPECT_EQ(of.schedule().pipeline()->stageName(all.kernels()[0]), "f");
}

TEST(KernelFootprint, AThreadThatSkipsPointsIsInterleaved) {
  const std::string copy = "input in 1024\nfunc g(x) 1024 = in(x)\noutput g\n";
  // Each of 32 threads copies four points that are 32 apart. The other threads copy those between.
  const Footprinted of(copy,
                       "g split x xo xr 128 guard_with_if | split xr xt xi 32 guard_with_if | "
                       "reorder xt xi xo | gpu_threads xi | gpu_blocks xo",
                       "g");
  const Tile::Side &thread = of.kernel().tile(Level::Thread).sides[0];
  EXPECT_TRUE(thread.isInterleaved);
  EXPECT_EQ(thread.points, 4);
  EXPECT_EQ(thread.range.extent(), 97);
  EXPECT_FALSE(of.kernel().tile(Level::Warp).sides[0].isInterleaved);
  EXPECT_EQ(of.kernel().tile(Level::Warp).sides[0].range.extent(), 128);
}

TEST(Level, NamesAreReadBack) {
  for (const Level level : kAllLevels)
    EXPECT_EQ(levelFromName(name(level)), level);
  EXPECT_EQ(levelFromName("lane"), std::nullopt);
}

} // namespace
} // namespace tessera::footprint
