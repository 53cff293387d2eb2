// SPDX-License-Identifier: MIT
#include "engine/schedule/edits/tiling.h"

#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

namespace tessera::schedule {
namespace {

using pipeline::PipelinePtr;
using testing::textOf;

PipelinePtr plane() { return pipeline::test::sketch("func f(x y) 512 512 = \noutput f\n"); }

std::string tiled(const PipelinePtr &pipeline, std::size_t stage,
                  const std::vector<DimTiling> &tilings, Depth depth) {
  return textOf(tiledNest(pipeline->stages()[stage], tilings, depth));
}

TEST(Tiling, AllLevelsOfADimension) {
  EXPECT_EQ(tiled(plane(), 0,
                  {{.outer = 2, .threads = 32, .inner = 4, .unroll = 2, .vector = 4}, {}},
                  Depth::Host),
            "0/2048/1024/32/8/4 1 : 0.5 vectorized, 0.4 unrolled, 0.3, 0.2 thread, 0.1, 0.0 block, "
            "1.0 block");
}

TEST(Tiling, FirstDimensionsAreInnermostInEachGroup) {
  EXPECT_EQ(
      tiled(plane(), 0, {{.threads = 32, .unroll = 2}, {.threads = 8, .unroll = 2}}, Depth::Host),
      "0/64/2 1/16/2 : 0.2 unrolled, 1.2 unrolled, 0.1 thread, 1.1 thread, 0.0 block, "
      "1.0 block");
}

TEST(Tiling, InsideAKernelThereAreNoBlocks) {
  EXPECT_EQ(tiled(plane(), 0, {{.threads = 32}, {}}, Depth::Block),
            "0/32 1 : 0.1 thread, 0.0, 1.0");
  EXPECT_EQ(tiled(plane(), 0, {{}, {}}, Depth::Thread), "0 1 : 0.0, 1.0");
}

TEST(Tiling, TheTailIsThatOfTheDimension) {
  const LoopNest nest = tiledNest(
      plane()->stages()[0],
      std::vector<DimTiling>{{.threads = 32, .tail = Tail::RoundUp}, {.threads = 8}}, Depth::Host);
  EXPECT_EQ(nest.axes[0].splits, (std::vector<Split>{{32, Tail::RoundUp}}));
  EXPECT_EQ(nest.axes[1].splits, (std::vector<Split>{{8, Tail::GuardWithIf}}));
}

TEST(Tiling, OfAReductionOnlyInnerAndUnrollCount) {
  const PipelinePtr sum = pipeline::test::sketch("func s(x) 512 = \n"
                                                 "update s(x) r:0:64 = s(x)\noutput s\n");
  EXPECT_EQ(tiled(sum, 1, {{.threads = 8, .inner = 4, .unroll = 2}, {.threads = 32}}, Depth::Host),
            "0/8/2 1/32 : 0.2 unrolled, 0.1, 0.0, 1.1 thread, 1.0 block");
}

TEST(Tiling, WithoutBlocksAKernelIsASingleThread) {
  const PipelinePtr point = pipeline::test::sketch("func f() = \noutput f\n");
  EXPECT_EQ(tiled(point, 0, {}, Depth::Host), " single");
}

TEST(Tiling, AFourthBlockDimensionIsFused) {
  const PipelinePtr four = pipeline::test::sketch("func f(x y z w) 64 64 64 64 = \noutput f\n");
  EXPECT_EQ(tiled(four, 0, {{}, {}, {}, {}}, Depth::Host),
            "0 1 2 3 4=2.0+3.0 : 0.0 block, 1.0 block, 4.0 block");
}

TEST(Tiling, LongGridsAreFusedWhole) {
  const PipelinePtr longGrid =
      pipeline::test::sketch("func f(x y z w) 4 4 70000 70000 = \noutput f\n");
  EXPECT_EQ(tiled(longGrid, 0, {{}, {}, {}, {}}, Depth::Host),
            "0 1 2 3 4=0.0+1.0+2.0+3.0 : 4.0 block");
}

TEST(Tiling, ABlockIsTheProductOfItsLevels) {
  EXPECT_EQ((DimTiling{2, 32, 4, 2, 4}).perBlock(), 2 * 32 * 4 * 2 * 4);
}

// --- the tile with which a func starts

std::vector<std::int64_t> threads(std::vector<std::int64_t> extents, Depth depth) {
  std::string args, sizes;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    args += " d" + std::to_string(d);
    sizes += " " + std::to_string(extents[d]);
  }
  const PipelinePtr pipeline =
      pipeline::test::sketch("func f(" + args + ")" + sizes + " = \noutput f\n");
  std::vector<std::int64_t> threads;
  for (const DimTiling &tiling : startTilings(pipeline->stages()[0], depth, extents))
    threads.push_back(tiling.threads);
  return threads;
}

using Threads = std::vector<std::int64_t>;

TEST(Tiling, StartsWith256Threads) {
  EXPECT_EQ(threads({512, 512}, Depth::Host), (Threads{32, 8}));
  EXPECT_EQ(threads({512, 4, 512}, Depth::Host), (Threads{32, 4, 2}));
}

TEST(Tiling, StartsWithNoMoreThreadsThanThereAreElements) {
  EXPECT_EQ(threads({3, 512}, Depth::Block), (Threads{4, 8}));
  EXPECT_EQ(threads({1, 512, 512}, Depth::Block), (Threads{1, 32, 8}));
}

TEST(Tiling, StartsWithoutThreadsInAThread) {
  EXPECT_EQ(threads({512, 512}, Depth::Thread), (Threads{1, 1}));
}

} // namespace
} // namespace tessera::schedule
