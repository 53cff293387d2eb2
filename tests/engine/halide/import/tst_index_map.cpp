// SPDX-License-Identifier: MIT
// Each kind of index expression, one line each: the map that it gives, and its precision.
#include "engine/halide/import/index_map.h"

#include <gtest/gtest.h>

namespace tessera::halide {
namespace {

using Halide::Expr;
using Halide::Var;
using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::Precision;
namespace ir = Halide::Internal;

const std::vector<LoopDim> kLoops{{"x", LoopDim::Kind::Pure, {0, 99}},
                                  {"y", LoopDim::Kind::Pure, {0, 99}},
                                  {"r", LoopDim::Kind::Reduction, {-2, 2}}};

struct Fixture : ::testing::Test {
  Var x{"x"}, y{"y"}, r{"r"};
  ir::FuncValueBounds noValues;

  IndexEvaluator::Maps maps(const Expr &e) { return IndexEvaluator(kLoops, noValues).evaluate(e); }

  // Returns the hull of the intervals of all maps for these ranges of x, y and r.
  Interval box(const Expr &e, Interval xs, Interval ys = {0, 0}, Interval rs = {-2, 2}) {
    const auto all = maps(e);
    Interval result;
    const std::vector<Interval> loops{xs, ys, rs};
    for (const pipeline::IndexMap &map : all) {
      const Interval one = evaluate(map, loops);
      result = result.empty() ? one : pipeline::hull(result, one);
    }
    return result;
  }
  Precision precision(const Expr &e) {
    Precision worst = Precision::Exact;
    for (const auto &map : maps(e))
      worst = std::max(worst, map.precision);
    return worst;
  }
  std::string reason(const Expr &e) { return maps(e).front().reason; }
};

using IndexMapTest = Fixture;

TEST_F(IndexMapTest, SumOfLoopsIsOneAtom) {
  const auto all = maps(x * 2 + r - 1);
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].atoms.size(), 1u);
  EXPECT_EQ(all[0].atoms[0].terms, (std::vector<pipeline::AffineTerm>{{0, 2}, {2, 1}}));
  EXPECT_EQ(all[0].atoms[0].offset, (Interval{-1, -1}));
  EXPECT_EQ(precision(x * 2 + r - 1), Precision::Exact);
}

TEST_F(IndexMapTest, DivisionRoundsTowardsMinusInfinity) {
  EXPECT_EQ(box((x - 5) / 2, {0, 3}), (Interval{-3, -1}));
  EXPECT_EQ(box((x - 5) >> 1, {0, 3}), (Interval{-3, -1}));
  EXPECT_EQ(box((4 - x) / 3, {0, 9}), (Interval{-2, 1}));
  EXPECT_EQ(precision((4 - x) / 3), Precision::Exact);
}

TEST_F(IndexMapTest, NestedDivisionsCombine) {
  const auto all = maps(((x / 2) + 3) / 4);
  ASSERT_EQ(all[0].atoms.size(), 1u);
  EXPECT_EQ(all[0].atoms[0].divisor, 8);
  EXPECT_EQ(all[0].atoms[0].offset, (Interval{6, 6}));
  EXPECT_EQ(all[0].precision, Precision::Exact);
}

TEST_F(IndexMapTest, DivisionOfAMultipleCancels) {
  EXPECT_EQ(maps((x * 4 + 1) / 2)[0].atoms[0].divisor, 1);
  EXPECT_EQ(box((x * 4 + 1) / 2, {0, 3}), (Interval{0, 6}));
}

TEST_F(IndexMapTest, FractionTakesWhatIsAddedToIt) {
  const Expr e = clamp(x / 2 + r, 0, 40);
  EXPECT_EQ(precision(e), Precision::Exact);
  EXPECT_EQ(box(e, {70, 90}), (Interval{33, 40}));
}

TEST_F(IndexMapTest, ClampIsKept) {
  const auto all = maps(clamp(x + 1, 0, 1535));
  EXPECT_EQ(all[0].atoms[0].clamp, (Interval{0, 1535}));
  EXPECT_EQ(box(clamp(x + 1, 0, 1535), {1530, 1600}), (Interval{1531, 1535}));
  EXPECT_EQ(box(clamp(x, 0, 9) * 2 - 1, {8, 30}), (Interval{15, 17}));
  EXPECT_EQ(box(clamp(x, 0, 9) / 2, {-8, 30}), (Interval{0, 4}));
  EXPECT_EQ(box(5 - clamp(x, 0, 9), {8, 30}), (Interval{-4, -3}));
  EXPECT_EQ(precision(5 - clamp(x, 0, 9)), Precision::Exact);
  EXPECT_EQ(box(likely(min(x, 7)), {3, 30}), (Interval{3, 7}));
}

TEST_F(IndexMapTest, ClampBetweenStridesIsExact) {
  const Expr e = clamp((x / 2) * 3 - 1, 0, 100); // the bound 100 is none of the values -1, 2, 5 …
  EXPECT_EQ(precision(e), Precision::Exact);
  EXPECT_EQ(box(e, {0, 0}), (Interval{0, 0}));
  EXPECT_EQ(box(e, {60, 66}), (Interval{89, 98}));
  EXPECT_EQ(box(e, {66, 70}), (Interval{98, 100}));
  EXPECT_EQ(box(e, {90, 99}), (Interval{100, 100}));
}

TEST_F(IndexMapTest, PromiseIsAClamp) {
  EXPECT_EQ(box(Halide::unsafe_promise_clamped(x, 0, 9), {5, 30}), (Interval{5, 9}));
}

TEST_F(IndexMapTest, ModuloCoversAndSaysSo) {
  EXPECT_EQ(box(x % 4, {0, 99}), (Interval{0, 3}));
  EXPECT_EQ(precision(x % 4), Precision::Covers);
  EXPECT_EQ(reason(x % 4), "modulo");
  EXPECT_EQ(reason(x & 7), "modulo");
  // r + 2 is known to be in the range of the modulo, which has no effect.
  EXPECT_EQ(precision((r + 2) % 8), Precision::Exact);
}

TEST_F(IndexMapTest, SelectGivesTheHullOfItsBranches) {
  const Expr e = select(x < 3, x + 1, x - 1);
  EXPECT_EQ(box(e, {10, 20}), (Interval{9, 21}));
  EXPECT_EQ(maps(e).size(), 1u); // both branches have the same affine part
  EXPECT_EQ(reason(e), "select");
  const Expr mixed = select(x < 3, x, y * 2);
  EXPECT_EQ(maps(mixed).size(), 2u);
  EXPECT_EQ(box(mixed, {10, 20}, {1, 30}), (Interval{2, 60}));
}

TEST_F(IndexMapTest, MinimumOfTwoStencilPointsIsExact) {
  const Expr e = min(x + 1, x + 4);
  EXPECT_EQ(precision(e), Precision::Exact);
  EXPECT_EQ(box(e, {0, 9}), (Interval{1, 10}));
}

TEST_F(IndexMapTest, WideCastsPassAndNarrowOnesCover) {
  EXPECT_EQ(box(Halide::cast<int>(Halide::cast<std::int64_t>(x) + 1), {0, 9}), (Interval{1, 10}));
  const Expr narrow = Halide::cast<int>(Halide::cast<std::uint8_t>(x));
  EXPECT_EQ(box(narrow, {0, 9}), (Interval{0, 255}));
  EXPECT_EQ(precision(narrow), Precision::Whole);
  EXPECT_EQ(reason(narrow), "cast to uint8");
  // The bounds of the reduction variable r fit into the narrow type, so the cast has no effect.
  EXPECT_EQ(precision(Halide::cast<int>(Halide::cast<std::int16_t>(r))), Precision::Exact);
}

TEST_F(IndexMapTest, ProductIsNotAffine) {
  EXPECT_EQ(precision(x * y), Precision::Whole);
  EXPECT_EQ(reason(x * y), "not affine");
  EXPECT_EQ(box(clamp(x * y, 0, 50), {0, 9}), (Interval{0, 50}));
}

TEST_F(IndexMapTest, DataSaysWhose) {
  Halide::Func g("g");
  g(x, y) = Halide::cast<std::uint8_t>(x + y);
  const Expr e = Halide::cast<int>(g(x, y));
  EXPECT_EQ(box(e, {0, 0}), (Interval{0, 255}));
  EXPECT_EQ(reason(e).substr(0, 17), "depends on data o");
  EXPECT_EQ(box(e + 1, {0, 0}), (Interval{1, 256}));
  EXPECT_EQ(reason(Halide::cast<int>(Halide::cast<float>(x) * 0.5f)), "computed in floating point");
}

TEST_F(IndexMapTest, LetStandsForItsValue) {
  const Expr t = ir::Variable::make(Halide::Int(32), "t");
  EXPECT_EQ(box(ir::Let::make("t", x * 2, t + 1), {0, 3}), (Interval{1, 7}));
  EXPECT_EQ(precision(ir::Let::make("t", x * 2, t + 1)), Precision::Exact);
}

TEST_F(IndexMapTest, UnknownVariableIsNamed) {
  const Expr w = ir::Variable::make(Halide::Int(32), "w");
  EXPECT_EQ(reason(x + w), "depends on w");
  EXPECT_EQ(box(clamp(x + w, 3, 8), {0, 0}), (Interval{3, 8}));
}

TEST_F(IndexMapTest, HugeFactorsDoNotWrap) {
  const Expr big = Halide::Internal::make_const(Halide::Int(64), INT64_MAX / 2);
  const Expr e = Halide::cast<int>(Halide::cast<std::int64_t>(x) * big * 4);
  EXPECT_FALSE(box(e, {0, 9}).empty());
}

TEST_F(IndexMapTest, AffineIsWhatTheWordSays) {
  EXPECT_TRUE(isAffine(clamp((x * 2 + r) / 3, 0, 9)));
  EXPECT_FALSE(isAffine(x * y));
  EXPECT_FALSE(isAffine(x % 2));
  EXPECT_FALSE(isAffine(select(x < 1, x, y)));
}

} // namespace
} // namespace tessera::halide
