// SPDX-License-Identifier: MIT
// Whatever the order of splits and fuses, the nest is the same. Refusals: tst_raise.cpp.
#include "engine/schedule/directives/nest_builder.h"

#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

namespace tessera::schedule {
namespace {

using testing::planOf;
using testing::scheduled;
using testing::textOf;

// The nest of an output f(x y z).
LoopNest nestOf(const std::string &calls) {
  const Schedule schedule = scheduled("func f(x y z) 64 64 64 = \noutput f\n", "f " + calls);
  return planOf(schedule, "f").stages[0].nest;
}

std::string nest(const std::string &calls) { return textOf(nestOf(calls)); }

TEST(NestBuilder, FactorsAreListedFromTheOutsideIn) {
  const std::string chain = "0/32/8 1 2 : 0.2, 0.1, 0.0, 1.0, 2.0";
  EXPECT_EQ(nest("split x xo xi 32 auto | split xi xm xn 8 auto"), chain);
  EXPECT_EQ(nest("split x xo xi 8 auto | split xo xm xn 4 auto"), chain);
}

TEST(NestBuilder, ATailStaysWithItsSplit) {
  const LoopNest out = nestOf("split x xo xi 8 round_up | split xo xm xn 4 guard_with_if");
  EXPECT_EQ(out.axes[0].splits, (std::vector<Split>{{32, Tail::GuardWithIf}, {8, Tail::RoundUp}}));
}

TEST(NestBuilder, ALoopMayGiveItsNameToAHalf) {
  EXPECT_EQ(nest("split x x xi 8 auto | split x x xm 4 auto | reorder x xi"),
            "0/32/8 1 2 : 0.0, 0.1, 0.2, 1.0, 2.0");
}

TEST(NestBuilder, FusedLoopsAreAnAxisOfTheirOwn) {
  EXPECT_EQ(nest("fuse x y xy"), "0 1 2 3=0.0+1.0 : 3.0, 2.0");
  EXPECT_EQ(nest("fuse x y xy | split xy o i 16 auto"), "0 1 2 3=0.0+1.0/16 : 3.1, 3.0, 2.0");
  EXPECT_EQ(nest("split x xo xi 8 auto | fuse xo y b"), "0/8 1 2 3=0.0+1.0 : 0.1, 3.0, 2.0");
}

TEST(NestBuilder, FusingWhatIsFusedIsOneFusion) {
  const std::string all = "0 1 2 3=0.0+1.0+2.0 : 3.0";
  EXPECT_EQ(nest("fuse x y a | fuse a z b"), all);
  EXPECT_EQ(nest("fuse y z a | fuse x a b"), all);
}

TEST(NestBuilder, WhatWasSplitAfterFusingStaysAnAxis) {
  EXPECT_EQ(nest("fuse x y a | split a o i 16 auto | fuse o z b"),
            "0 1 2 3=0.0+1.0/16 4=3.0+2.0 : 3.1, 4.0");
}

TEST(NestBuilder, SplittingALoopMovesItsFusedParts) {
  EXPECT_EQ(nest("split x xo xi 8 auto | fuse xi y b | split xo p q 4 auto"),
            "0/32/8 1 2 3=0.2+1.0 : 3.0, 0.1, 0.0, 2.0");
}

TEST(NestBuilder, TheOrderOfFusionsDoesNotMatter) {
  const auto in = [](const std::string &calls) {
    const Schedule schedule = scheduled("func f(x y z w) 64 64 64 64 = \noutput f\n", "f " + calls);
    return textOf(planOf(schedule, "f").stages[0].nest);
  };
  const std::string both = "0 1 2 3 4=0.0+1.0 5=2.0+3.0 : 4.0, 5.0";
  EXPECT_EQ(in("fuse x y a | fuse z w b"), both);
  EXPECT_EQ(in("fuse z w b | fuse x y a"), both);
}

TEST(NestBuilder, ReorderKeepsThePlacesOfOthers) {
  EXPECT_EQ(nest("reorder z x"), "0 1 2 : 2.0, 1.0, 0.0");
  EXPECT_EQ(nest("reorder y z x"), "0 1 2 : 1.0, 2.0, 0.0");
}

TEST(NestBuilder, MarksLoops) {
  EXPECT_EQ(nest("unroll x | gpu_threads y | gpu_blocks z"),
            "0 1 2 : 0.0 unrolled, 1.0 thread, 2.0 block");
  EXPECT_EQ(nest("gpu_threads y | gpu_threads y"), "0 1 2 : 0.0, 1.0 thread, 2.0");
  EXPECT_EQ(nest("gpu_single_thread"), "0 1 2 : 0.0, 1.0, 2.0 single");
}

TEST(NestBuilder, FindsALoopUnderItsLastName) {
  pipeline::Stage stage;
  stage.loops = {{.name = "x"}, {.name = "y"}, {.name = "z"}};
  NestBuilder builder(stage);
  ASSERT_TRUE(builder.fuse("x", "y", "a"));
  ASSERT_TRUE(builder.fuse("a", "z", "b"));
  ASSERT_TRUE(builder.split("b", "o", "i", 8, Tail::Auto));
  EXPECT_EQ(builder.find("i"), (LoopRef{3, 1}));
  EXPECT_EQ(builder.find("a"), std::nullopt);
  EXPECT_EQ(builder.find("x"), std::nullopt);
}

} // namespace
} // namespace tessera::schedule
