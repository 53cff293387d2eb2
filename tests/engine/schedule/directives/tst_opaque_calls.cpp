// SPDX-License-Identifier: MIT
// Variants of specialize() and other calls that no decision can say.
#include "engine/schedule/directives/opaque_calls.h"

#include "engine/schedule/directives/lower.h"
#include "engine/schedule/directives/raise.h"
#include "engine/schedule/text/decision_text.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/schedule/sketch.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::schedule {
namespace {

constexpr const char *kPipeline = "input in 64 64\nfunc f(x y) 64 64 = in(x; y)\noutput f\n";

Schedule raised(const std::string &text) { return testing::scheduled(kPipeline, text); }

// The directives of a schedule are another way to write the same schedule.
void expectLowered(const std::string &text, const std::string &lowered) {
  SCOPED_TRACE(text);
  const Schedule schedule = raised(text);
  EXPECT_EQ(testing::loweredText(schedule), lowered);
  const Schedule again = raised(testing::loweredText(schedule));
  EXPECT_TRUE(again == schedule) << testing::loweredText(again);
  EXPECT_EQ(again.hash(), schedule.hash());
}

TEST(OpaqueCalls, AVariantFollowsTheStage) {
  expectLowered("f split x xo xi 4 auto | specialize in.extent.0>8",
                "f split x x_outer x_inner 4 auto | specialize in.extent.0>8");
  expectLowered("f specialize in.extent.0>8 | specialize_fail small",
                "f specialize in.extent.0>8 | specialize_fail small");
}

// Loops with the names of the stage's own get their new names, since other funcs are computed
// there.
TEST(OpaqueCalls, AVariantKeepsLoopsOfItsOwn) {
  expectLowered("f specialize in.extent.0>8\n"
                "f@0 split x xo xi 8 auto | split xo xo u 2 auto | vectorize xi\n"
                "f split x xo xi 4 auto",
                "f specialize in.extent.0>8\n"
                "f@0 split x x_outer x_inner 8 auto | split x_outer x_outer u 2 auto | "
                "vectorize x_inner\n"
                "f split x x_outer x_inner 4 auto");
  // A loop may have the name of the dimension.
  expectLowered("f specialize in.extent.0>8\nf@0 split x x u 8 auto | parallel x\n"
                "f split x x xi 4 auto",
                "f specialize in.extent.0>8\nf@0 split x x_outer u 8 auto | parallel x_outer\n"
                "f split x x_outer x_inner 4 auto");
}

// Halide copies the loops that the stage has by then.
TEST(OpaqueCalls, AVariantThatIsChangedIsWrittenInFull) {
  expectLowered("f split x xo xi 4 auto | specialize in.extent.0>8\nf@0 unroll xi",
                "f specialize in.extent.0>8\nf@0 split x x_outer x_inner 4 auto | unroll x_inner\n"
                "f split x x_outer x_inner 4 auto");
  expectLowered("f specialize in.extent.0>8 | unroll x", "f specialize in.extent.0>8 | unroll x");
  EXPECT_EQ(opaqueCalls(raised("f specialize in.extent.0>8 | unroll x"))[0].call,
            "specialize(in.extent.0 > 8) with plain loops");
}

// The first condition that holds counts.
TEST(OpaqueCalls, VariantsKeepTheirOrder) {
  expectLowered("f unroll x | specialize in.extent.0>8 | specialize in.extent.0>4\n"
                "f@1 parallel y\nf specialize in.extent.0>2",
                "f specialize in.extent.0>8\nf@0 unroll x\nf specialize in.extent.0>4\n"
                "f@1 unroll x | parallel y\nf unroll x | specialize in.extent.0>2");
}

TEST(OpaqueCalls, VariantsWithinVariants) {
  expectLowered("f unroll x | specialize in.extent.0>8\nf@0 specialize in.extent.1>8",
                "f unroll x | specialize in.extent.0>8\nf@0 specialize in.extent.1>8");
  expectLowered("f specialize in.extent.0>8\nf@0 parallel y | specialize in.extent.1>8\n"
                "f@0.0 unroll x",
                "f specialize in.extent.0>8\nf@0 specialize in.extent.1>8\n"
                "f@0.0 parallel y | unroll x\nf@0 parallel y");
  EXPECT_EQ(opaqueCalls(raised("f specialize in.extent.0>8\nf@0 parallel y | "
                               "specialize in.extent.1>8\nf@0.0 unroll x"))[0]
                .call,
            "specialize(in.extent.0 > 8)[.specialize(in.extent.1 > 8).parallel(y).unroll(x)]"
            ".parallel(y)");
}

// No func that is computed in a loop of the stage may find a loop of the variant that is another.
TEST(OpaqueCalls, OtherLoopsHaveOtherNames) {
  expectLowered("f specialize in.extent.0>8\nf@0 split y x_outer yi 8 auto\nf split x a b 4 auto",
                "f specialize in.extent.0>8\nf@0 split y x_outer_variant yi 8 auto\n"
                "f split x x_outer x_inner 4 auto");
}

TEST(OpaqueCalls, NamesFollowTheLoopsOfTheStage) {
  Schedule schedule = raised("f specialize in.extent.0>8\nf@0 split x xo xi 8 auto\n"
                             "f split x xo xi 4 auto");
  FuncPlan plan = schedule.plan(pipeline::FuncId{});
  for (Loop &loop : plan.stages[0].nest.loops)
    if (loop.ref == LoopRef{0, 0}) loop.kind = LoopKind::Parallel;
  schedule.set(pipeline::FuncId{}, std::move(plan));
  EXPECT_EQ(testing::loweredText(schedule),
            "f specialize in.extent.0>8\nf@0 split x x_task x_inner 8 auto\n"
            "f split x x_task x_inner 4 auto | parallel x_task");
}

TEST(OpaqueCalls, CallsWithoutVariants) {
  expectLowered("f ring_buffer 2 | async | memoize | bound x 0 in.extent.0",
                "f bound x 0 in.extent.0 | memoize | async | ring_buffer 2");
  expectLowered("f split x xo xi 4 auto | never_partition xo | always_partition y",
                "f split x x_outer x_inner 4 auto | never_partition x_outer | always_partition y");
  // A variant that is made afterwards has them, too.
  expectLowered("f never_partition y | specialize in.extent.0>8",
                "f never_partition y | specialize in.extent.0>8");
}

TEST(OpaqueCalls, RefusesVariantsThatAreNotThere) {
  const auto refused = raise(pipeline::test::sketch(kPipeline), sketch("f@1 unroll x"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "directive 1, f.unroll: there is no variant 1 before this call");
  Directive ofFunc{"f", 0, Verb::ComputeRoot, {}, {}, {0}};
  EXPECT_EQ(problemWith(ofFunc), "compute_root cannot be called on a variant of specialize()");
}

// Halide would lose the guard of a variant's last tile where it loses that of a stage's.
TEST(OpaqueCalls, AVariantIsNeverPartitionedWhereHalideDoesItWrongly) {
  const std::string behindEdge = "input in 64 64\n"
                                 "func f(x y) 64 64 = in(x; y)\n"
                                 "func g(x y) 64 64 = f(clamp(x+[0,2],0,63); y)\n"
                                 "output g\n";
  const std::string twice = "split x xo xi 32 guard_with_if | split xi xm xn 4 guard_with_if";
  const Schedule schedule = testing::scheduled(
      behindEdge, "f compute_root | specialize in.extent.0>8\nf@0 " + twice +
                      " | specialize in.extent.1>8\nf specialize in.extent.1>16");
  EXPECT_EQ(testing::loweredText(schedule),
            "f compute_root | specialize in.extent.0>8\n"
            "f@0 " +
                twice +
                " | never_partition_all | specialize in.extent.1>8\n"
                "f specialize in.extent.1>16");
  EXPECT_TRUE(testing::scheduled(behindEdge, testing::loweredText(schedule)) == schedule);
  const Schedule once = testing::scheduled(
      behindEdge, "f compute_root | specialize in.extent.0>8\nf@0 split x xo xi 32 guard_with_if");
  EXPECT_EQ(testing::loweredText(once).find("never_partition"), std::string::npos);
}

} // namespace
} // namespace tessera::schedule
