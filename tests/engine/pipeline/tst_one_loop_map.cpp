// SPDX-License-Identifier: MIT
#include "engine/pipeline/one_loop_map.h"
#include "tests/engine/pipeline/sketch.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string_view>
#include <vector>

namespace tessera::pipeline {
namespace {

using test::indexMap;

OneLoopMap oneLoop(std::string_view index) { return OneLoopMap(indexMap(index, {"x", "r"})); }

TEST(OneLoopMap, IsOfASingleLoop) {
  EXPECT_TRUE(oneLoop("x"));
  EXPECT_TRUE(oneLoop("2*r+[-1,1]"));
  EXPECT_TRUE(oneLoop("clamp(x,0,9)"));
  EXPECT_EQ(oneLoop("2*r+1").loop(), 1U);
  EXPECT_FALSE(oneLoop("x+r"));
  EXPECT_FALSE(oneLoop("3"));
  EXPECT_FALSE(oneLoop("?")) << "data decide";
}

TEST(OneLoopMap, AShiftAddsAlone) {
  EXPECT_TRUE(oneLoop("x+[-1,1]").isShift());
  EXPECT_EQ(oneLoop("x+[-1,1]").further(), (Interval{-1, 1}));
  for (const char *other : {"2*x", "x/2", "clamp(x,0,9)"})
    EXPECT_FALSE(oneLoop(other).isShift()) << other;
}

TEST(OneLoopMap, ClampsToInfinity) {
  for (const std::int64_t end : {kMinusInfinity, kPlusInfinity, std::int64_t{1} << 60}) {
    Atom atom;
    atom.terms = {{0, 1}};
    atom.scale = 2;
    atom.clamp = {end, end};
    const IndexMap map{{atom}, {-9, -9}, Precision::Exact, ""};
    const std::vector<Interval> loops{{-8, 8}};
    EXPECT_EQ(OneLoopMap(map).evaluate(loops.front()), evaluate(map, loops)) << end;
  }
}

// The property is tested mostly on small numbers, and on huge and infinite ones.
TEST(OneLoopMap, EvaluatesAsTheMapItself) {
  const bool holds = rc::check("evaluate() is that of the map", [] {
    const auto number = [](std::int64_t most) -> std::int64_t {
      constexpr std::int64_t kLarge = std::int64_t{1} << 30, kHuge = std::int64_t{1} << 60;
      if (*rc::gen::inRange(0, 6) > 0) return *rc::gen::inRange<std::int64_t>(-most, most);
      return *rc::gen::elementOf(
          std::vector<std::int64_t>{kMinusInfinity, kPlusInfinity, kLarge, -kLarge, kHuge});
    };
    const auto interval = [&](std::int64_t most) -> Interval {
      return {number(most), number(most)};
    };
    Atom atom;
    atom.terms = {{0, *rc::gen::element<std::int64_t>(-70'000, -3, -1, 1, 2, 3, 70'000)}};
    atom.scale = *rc::gen::element<std::int64_t>(-3, -1, 1, 1, 2, 40'000);
    atom.divisor = *rc::gen::element<std::int64_t>(1, 1, 2, 3, 4, 6);
    atom.offset = interval(9);
    if (*rc::gen::arbitrary<bool>()) atom.clamp = interval(9);
    const IndexMap map{{atom}, interval(9), Precision::Exact, ""};
    const OneLoopMap flat(map);
    RC_PRE(static_cast<bool>(flat));
    const std::vector<Interval> loops{interval(100)};
    RC_ASSERT(flat.evaluate(loops.front()) == evaluate(map, loops));
  });
  EXPECT_TRUE(holds);
}

} // namespace
} // namespace tessera::pipeline
