// SPDX-License-Identifier: MIT
// A func that is read at places without bounds becomes part of its readers, as in Halide.
#include "engine/halide/import/inlining.h"
#include "tests/engine/halide/captured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::halide::testing {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::Var;
using ::testing::HasSubstr;

Var x("x"), y("y");

// A picture, and points whose coordinates are floats, which have no bounds.
struct Picture {
  ImageParam pixels{Halide::Float(32), 2, "pixels"}, points{Halide::Float(32), 2, "points"};
  Expr across = Halide::cast<int>(Halide::round(points(0, x))),
       down = Halide::cast<int>(Halide::round(points(1, x)));

  Picture() {
    pixels.set_estimates({{0, 80}, {0, 60}});
    points.set_estimates({{0, 2}, {0, 500}});
  }
};

TEST(Inlining, ABoundaryConditionAtPlacesThatDataChoose) {
  const Picture p;
  const Func edge = Halide::BoundaryConditions::repeat_edge(p.pixels);
  Func found("found"), out("sharper");
  found(x) = edge(p.across, p.down) - edge(p.across - 1, p.down);
  out(x) = found(x) + found(x + 1);
  out.set_estimates({{0, 499}});
  const auto parts = imported(Pipeline(out));
  // Halide makes a func that repeats the picture, of which the clamp bounds what is read.
  ASSERT_EQ(parts.funcs.size(), 3u);
  const pipeline::Func &repeated = parts.funcs.front();
  EXPECT_EQ(repeated.region, (pipeline::Box{{0, 79}, {0, 59}}));
  EXPECT_EQ(funcOf(parts, found.name()).region, (pipeline::Box{{0, 499}}));
  EXPECT_THAT(remarkOn(parts, edge.name()), HasSubstr("every schedule inlines it"));
  EXPECT_EQ(footprintOf(parts, stageOf(parts, found.name()), repeated.name, {{7, 7}}),
            repeated.region);
}

// A constant exterior is two funcs, of which the outer one is a select around the inner one.
TEST(Inlining, AFuncThatOnlyOneThatIsInlinedReads) {
  const Picture p;
  const Func edge = Halide::BoundaryConditions::constant_exterior(p.pixels, 0.0f);
  Func out("outside");
  out(x) = edge(p.across, p.down);
  out.set_estimates({{0, 500}});
  const auto parts = imported(Pipeline(out));
  ASSERT_EQ(parts.funcs.size(), 2u) << "the picture and the output";
  EXPECT_EQ(parts.remarks.size(), 2u);
  EXPECT_EQ(parts.funcs.front().region, (pipeline::Box{{0, 79}, {0, 59}}));
}

// A tuple that is computed of its place alone needs no boundary. The funcs around it get other
// numbers.
TEST(Inlining, ATupleThatNoMemoryHolds) {
  const Picture p;
  Func before("before"), table("table"), out("two"), total("total");
  const Halide::RDom r(0, 4, "r");
  before(x, y) = p.pixels(x, y) * 2.0f;
  table(x, y) = Halide::Tuple(x - y, Halide::cast<float>(x) * y);
  out(x) = before(x, 3);
  out(x) += table(p.across, p.down)[1] + table(p.down, r)[0];
  total(x) = out(x) + before(x, 0);
  total.set_estimates({{0, 80}});
  const auto parts = imported(Pipeline(total));
  ASSERT_EQ(parts.funcs.size(), 3u);
  EXPECT_EQ(remarkOn(parts, before.name()), "");
  EXPECT_THAT(remarkOn(parts, table.name()), HasSubstr("inlines it"));
  EXPECT_EQ(parts.funcs[2].name, total.name());
  EXPECT_TRUE(parts.funcs[2].isOutput);
  const pipeline::Stage &update = stageOf(parts, out.name(), 1);
  EXPECT_EQ(update.func, pipeline::FuncId{1});
  EXPECT_THAT(update.definition, ::testing::Not(HasSubstr(table.name() + "(")));
}

// Memory is needed for what an update writes, and no memory holds all places.
TEST(Inlining, AFuncWithAnUpdateIsRefused) {
  const Picture p;
  Func counts("counts"), out("looked_up");
  counts(x) = 0;
  counts(x) += x;
  out(x) = counts(p.across);
  out.set_estimates({{0, 500}});
  const auto refused = roundTrip(Pipeline(out));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr(counts.name() + ": the region needed of it has no bounds in dimension x"));
  EXPECT_THAT(refused.error().hint, HasSubstr("Clamp the index where it is read"));
}

} // namespace
} // namespace tessera::halide::testing
