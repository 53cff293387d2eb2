// SPDX-License-Identifier: MIT
#include "engine/search/beam/structural_hash.h"

#include <gtest/gtest.h>

namespace tessera::search {
namespace {

constexpr pipeline::FuncId kIntermed{0}, kOutput{1};
constexpr std::uint32_t kOutputStage = 1;

std::uint64_t hashOf(const FuncShape &intermed, const FuncShape &output, int depth) {
  return hashTerm(kIntermed, intermed, depth) + hashTerm(kOutput, output, depth);
}

const FuncShape kTiledOutput{BeamPlace::Root, 0, {48, 320}, {32, 8}, {1, 1}, 0};

// Figure 3 of the paper: in schedule 1, intermed is computed in the threads of output, in schedule
// 2 in its blocks.
TEST(StructuralHash, TellsFigure3ApartAtDepth2) {
  const FuncShape inThread{BeamPlace::Thread, kOutputStage, {}, {}, {}, 0};
  const FuncShape inBlock{BeamPlace::Block, kOutputStage, {}, {34, 8}, {1, 1}, 0};
  for (const int depth : {0, 1})
    EXPECT_EQ(hashOf(inThread, kTiledOutput, depth), hashOf(inBlock, kTiledOutput, depth));
  for (const int depth : {2, 3, 4, 5})
    EXPECT_NE(hashOf(inThread, kTiledOutput, depth), hashOf(inBlock, kTiledOutput, depth));
}

// Section 3: at depth 0 nothing counts but which funcs are kernels.
TEST(StructuralHash, SeesKernelsAloneAtDepth0) {
  FuncShape other = kTiledOutput;
  other.blocks = {1, 1};
  other.threads = {16, 16};
  EXPECT_EQ(hashTerm(kOutput, kTiledOutput, 0), hashTerm(kOutput, other, 0));
  EXPECT_NE(hashOf({BeamPlace::Root, 0, {}, {}, {}, 0}, kTiledOutput, 0),
            hashOf({BeamPlace::Inline, 0, {}, {}, {}, 0}, kTiledOutput, 0));
}

// At the first depth of a level, only "one or more" counts.
TEST(StructuralHash, SeesExtentsLevelByLevel) {
  FuncShape blocks = kTiledOutput, threads = kTiledOutput, serial = kTiledOutput;
  blocks.blocks = {24, 320};
  threads.threads = {64, 8};
  serial.serial = {4, 1};
  const auto isAs = [](const FuncShape &other, int depth) {
    return hashTerm(kOutput, kTiledOutput, depth) == hashTerm(kOutput, other, depth);
  };
  EXPECT_TRUE(isAs(blocks, 1));
  EXPECT_FALSE(isAs(blocks, 2));
  EXPECT_TRUE(isAs(threads, 3));
  EXPECT_FALSE(isAs(threads, 4));
  EXPECT_TRUE(isAs(serial, 4));
  EXPECT_FALSE(isAs(serial, 5));
}

TEST(StructuralHash, HasATermForEachDepth) {
  const HashTerms terms = hashTerms(kOutput, kTiledOutput);
  for (int depth = 0; depth < kHashDepths; ++depth)
    EXPECT_EQ(terms[static_cast<std::size_t>(depth)], hashTerm(kOutput, kTiledOutput, depth));
  EXPECT_EQ(hashTerm(kOutput, kTiledOutput, kHashDepths + 3), terms.back());
}

} // namespace
} // namespace tessera::search
