// SPDX-License-Identifier: MIT
#include "engine/pipeline/access.h"
#include "tests/engine/pipeline/sketch.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

namespace tessera::pipeline {
namespace {

using test::indexMap;

Interval at(std::string_view index, const Interval &x, const Interval &r = {0, 0}) {
  const std::vector<Interval> loops{x, r};
  return evaluate(indexMap(index, {"x", "r"}), loops);
}

TEST(Access, EvaluatesAffineIndices) {
  EXPECT_EQ(at("x", {3, 7}), (Interval{3, 7}));
  EXPECT_EQ(at("x+[-1,1]", {3, 7}), (Interval{2, 8}));
  EXPECT_EQ(at("2*x+r-1", {0, 3}, {0, 2}), (Interval{-1, 7}));
  EXPECT_EQ(at("-2*x", {1, 3}), (Interval{-6, -2}));
}

TEST(Access, DividesTowardsMinusInfinity) {
  EXPECT_EQ(at("x/2", {-3, 3}), (Interval{-2, 1}));
  EXPECT_EQ(at("x+1/2", {-1, 0}), (Interval{0, 0}));
}

TEST(Access, ClampsBothEnds) {
  EXPECT_EQ(at("clamp(x+[-2,2],0,9)", {0, 3}), (Interval{0, 5}));
  EXPECT_EQ(at("clamp(x,0,9)", {20, 30}), (Interval{9, 9}));
  EXPECT_EQ(at("clamp(x,0,9)", {-20, -10}), (Interval{0, 0}));
}

TEST(Access, ScaleFlipsTheEnds) {
  IndexMap map = indexMap("x/4", {"x"});
  map.atoms[0].scale = -3;
  const std::vector<Interval> loops{{0, 15}};
  EXPECT_EQ(evaluate(map, loops), (Interval{-9, 0}));
}

TEST(Access, KeepsInfinity) {
  EXPECT_EQ(at("x+1", {kMinusInfinity, 4}), (Interval{kMinusInfinity, 5}));
  EXPECT_EQ(at("clamp(x,0,9)", kEverything), (Interval{0, 9}));
  EXPECT_EQ(at("?", {0, 3}), kEverything);
  EXPECT_EQ(at("x", {kPlusInfinity - 2, kPlusInfinity - 1}).max, kPlusInfinity - 1);
  EXPECT_EQ(at("x+9", {0, kPlusInfinity - 1}).max, kPlusInfinity) << "saturates, never wraps";
}

// Compares evaluate() with the hull found by trying every point.
TEST(Access, EqualsBruteForce) {
  const bool holds = rc::check("evaluate() is the hull over all points", [] {
    Atom atom;
    atom.scale = *rc::gen::element<std::int64_t>(-3, -1, 1, 2);
    atom.divisor = *rc::gen::inRange<std::int64_t>(1, 5);
    const auto low = *rc::gen::inRange<std::int64_t>(-6, 6);
    atom.offset = {low, low};
    for (std::uint32_t loop = 0; loop < 2; ++loop)
      if (const auto c = *rc::gen::inRange<std::int64_t>(-3, 4); c != 0)
        atom.terms.push_back({loop, c});
    if (*rc::gen::arbitrary<bool>()) {
      const auto edge = *rc::gen::inRange<std::int64_t>(-5, 5);
      atom.clamp = {edge, edge + *rc::gen::inRange<std::int64_t>(0, 8)};
    }
    std::vector<Interval> loops;
    for (int loop = 0; loop < 2; ++loop) {
      const auto min = *rc::gen::inRange<std::int64_t>(-9, 9);
      loops.push_back({min, min + *rc::gen::inRange<std::int64_t>(0, 7)});
    }
    Interval expected{kPlusInfinity, kMinusInfinity};
    for (std::int64_t x = loops[0].min; x <= loops[0].max; ++x)
      for (std::int64_t y = loops[1].min; y <= loops[1].max; ++y) {
        std::int64_t sum = atom.offset.min;
        for (const AffineTerm &term : atom.terms)
          sum += term.coefficient * (term.loop == 0 ? x : y);
        std::int64_t value =
            sum >= 0 ? sum / atom.divisor : -((-sum + atom.divisor - 1) / atom.divisor);
        value = atom.scale * std::clamp(value, atom.clamp.min, atom.clamp.max);
        expected = hull(expected, {value, value});
      }
    RC_ASSERT(evaluate(IndexMap{{atom}, {0, 0}, Precision::Exact, ""}, loops) == expected);
  });
  EXPECT_TRUE(holds);
}

} // namespace
} // namespace tessera::pipeline
