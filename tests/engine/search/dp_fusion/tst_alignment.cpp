// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/alignment.h"

#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <string>

namespace tessera::search {
namespace {

using schedule::testing::funcOf;
using ::testing::ElementsAre;
using ::testing::Optional;

// How a func p(x y) lies beside an output that reads it by these indices.
std::optional<Alignment> read(const std::string &loads, const std::string &more = "") {
  const auto pipeline =
      pipeline::test::sketch("input in 100 100\n"
                             "func p(x y) 100 100 = in(x; y)\n" +
                             more + "func out(x y) 100 100 = " + loads + "\noutput out\n");
  const schedule::Schedule schedule(pipeline);
  const auto aligned = alignmentsTo(schedule, funcOf(schedule, "out"));
  const auto found = aligned.find(funcOf(schedule, "p"));
  return found == aligned.end() ? std::nullopt : std::optional(found->second);
}

Alignment dims(AlignedDim x, AlignedDim y) { return {x, y}; }

TEST(Alignment, StencilsHaveConstantDependences) {
  EXPECT_THAT(read("p(x+[-1,1]; y) p(x; y+2)"), Optional(dims({0, 1, 1}, {1, 1, 1})));
  EXPECT_THAT(read("p(clamp(x+[-2,2],0,99); y)"), Optional(dims({0, 1, 1}, {1, 1, 1})));
}

// "alignment and scaling of dependencies": pyramids are scaled, transposed reads aligned.
TEST(Alignment, ScalesAndAligns) {
  EXPECT_THAT(read("p(2*x+[0,1]; y/2)"), Optional(dims({0, 2, 1}, {1, 1, 2})));
  EXPECT_THAT(read("p(y; x)"), Optional(dims({1, 1, 1}, {0, 1, 1})));
}

TEST(Alignment, FollowsReadersToTheOutput) {
  EXPECT_THAT(read("half(x/2; y)", "func half(x y) 50 100 = p(2*x+[-1,1]; y)\n"),
              Optional(dims({0, 1, 1}, {1, 1, 1})));
  EXPECT_THAT(read("q(2*x; y)", "func q(x y) 100 100 = p(2*x; y)\n"),
              Optional(dims({0, 4, 1}, {1, 1, 1})));
}

// A tile of the output needs the same few indices everywhere: channels, for example, that the
// output does not have. Where it has a dimension instead, the distance grows along that.
TEST(Alignment, AllowsAConstantIndexOfAFurtherDimension) {
  const auto pipeline = pipeline::test::sketch(R"(
    input in 100 100 3
    func p(x y c) 100 100 3 = in(x; y; c)
    func row(x) 100 = in(x; 0; 0)
    func gray(x y) 100 100 = p(x; y; 0) p(x; y; [1,2]) row(0)
    output gray
  )");
  const schedule::Schedule schedule(pipeline);
  const auto aligned = alignmentsTo(schedule, funcOf(schedule, "gray"));
  ASSERT_TRUE(aligned.contains(funcOf(schedule, "p")));
  EXPECT_EQ(aligned.at(funcOf(schedule, "p")),
            (Alignment{AlignedDim{0, 1, 1}, AlignedDim{1, 1, 1}, std::nullopt}));
  EXPECT_FALSE(aligned.contains(funcOf(schedule, "row")));
  EXPECT_EQ(read("p(x; 0) p(x; 1)"), std::nullopt);
}

// What a reader has more dimensions than is computed once for all of them in a tile.
TEST(Alignment, AllowsAFurtherDimensionOfTheReader) {
  EXPECT_THAT(read("q(x; y; 0)", "func q(x y c) 100 100 3 = p(x; y)\n"),
              Optional(dims({0, 1, 1}, {1, 1, 1})));
}

TEST(Alignment, RefusesWhatIsNotConstant) {
  EXPECT_EQ(read("p(x; y) p(2*x; y)"), std::nullopt); // two scales
  EXPECT_EQ(read("p(x; y) p(y; x)"), std::nullopt);   // two alignments
  EXPECT_EQ(read("p(x; y) p(0; y)"), std::nullopt);   // the distance grows with x
  EXPECT_EQ(read("p(?; y)"), std::nullopt);           // data decide
  EXPECT_EQ(read("p(x+y; y)"), std::nullopt);         // two loops
  EXPECT_EQ(read("p(-x+[99,99]; y)"), std::nullopt);  // mirrored
  // Of two ways to the output, one is scaled.
  EXPECT_EQ(read("p(x; y) q(x; y)", "func q(x y) 100 100 = p(2*x; y)\n"), std::nullopt);
}

// "fuse the histogram stage, which performs a reduction, with subsequent blurring stages [...]
// PolyMage-GPU cannot" (section 7.1).
TEST(Alignment, LeavesReductionsOut) {
  const auto pipeline = pipeline::test::sketch(R"(
    input in 100 100
    func p(x y) 100 100 = in(x; y)
    func sum(x y) 100 100 = p(x; y)
    update sum(x y) r:0:4 = sum(x; y) p(x; y+r)
    func out(x y) 100 100 = sum(x; y)
    output out
  )");
  const schedule::Schedule schedule(pipeline);
  EXPECT_EQ(alignmentsTo(schedule, funcOf(schedule, "out")).size(), 1U); // out alone
  EXPECT_TRUE(alignmentsTo(schedule, funcOf(schedule, "sum")).empty());
}

// What is read elsewhere too is not the output's alone.
TEST(Alignment, LooksOnlyAtWhatTheOutputAloneNeeds) {
  const auto pipeline = pipeline::test::sketch(R"(
    input in 100 100
    func shared(x y) 100 100 = in(x; y)
    func own(x y) 100 100 = shared(x; y)
    func first(x y) 100 100 = own(x; y)
    func second(x y) 100 100 = shared(x; y) first(x; y)
    output first
    output second
  )");
  const schedule::Schedule schedule(pipeline);
  const auto aligned = alignmentsTo(schedule, funcOf(schedule, "first"));
  EXPECT_TRUE(aligned.contains(funcOf(schedule, "own")));
  EXPECT_FALSE(aligned.contains(funcOf(schedule, "shared")));
}

} // namespace
} // namespace tessera::search
