// SPDX-License-Identifier: MIT
#include "engine/cost/load/reads.h"

#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

namespace tessera::cost {
namespace {

using pipeline::Box;
using pipeline::Interval;
using schedule::testing::scheduled;
using schedule::testing::stageOf;
using ::testing::ElementsAre;

// The reads of a stage whose loops run over a box.
class Seen {
public:
  Seen(std::string_view pipeline, std::string_view directives, std::string_view stage,
       const Box &loops)
      : m_schedule(scheduled(pipeline, directives)),
        m_reads(m_schedule, stageOf(m_schedule, stage)) {
    m_reads.evaluate(loops, m_boxes);
    m_counts.resize(m_reads.sources().size());
    m_reads.count(volumeOf(loops), 0, m_boxes, m_counts);
  }

  const Reads::Source &source(std::string_view name) const {
    for (const Reads::Source &source : m_reads.sources())
      if (m_schedule.pipeline()->producerName(source.producer) == name) return source;
    throw std::invalid_argument("not read: " + std::string(name));
  }
  Box box(std::string_view name) const {
    const auto box = source(name).boxIn(m_boxes);
    return {box.begin(), box.end()};
  }
  double loads(std::string_view name) const {
    return m_counts[static_cast<std::size_t>(&source(name) - m_reads.sources().data())].loads;
  }
  const Reads &reads() const { return m_reads; }

private:
  schedule::Schedule m_schedule;
  Reads m_reads;
  std::vector<Interval> m_boxes;
  std::vector<Reads::Count> m_counts;
};

const std::string kBlur = "input in 66 66\n"
                          "func f(x y) 66 64 = in(x; y) in(x; y+1) in(x; y+2)\n"
                          "func g(x y) 64 64 = f(x; y) f(x+1; y) f(x+2; y)\n"
                          "output g\n";

TEST(Reads, NobodySeesThatTwoQuotientsAreTheSame) {
  const std::string up = "input in 16 16\n"
                         "func half(x y) 16 16 = in(x; y)\n"
                         "func across(x y) 32 16 = half(x/2; y) half(x/2+1; y)\n"
                         "func up(x y) 32 32 = across(x; y/2) across(x; y/2+1)\n"
                         "func g(x y) 32 32 = up(x; y)\noutput g\n";
  const Seen seen(up, "half compute_root", "g", {{4, 4}, {4, 4}});
  EXPECT_EQ(seen.loads("up"), 1);
  EXPECT_EQ(seen.loads("across"), 2);
  EXPECT_EQ(seen.loads("half"), 4);
  // If `half` is inlined too, its input is read as often as `half` is.
  EXPECT_EQ(Seen(up, "", "g", {{4, 4}, {4, 4}}).loads("in"), 4);
  // Four points of g along y need three values of `across`. Eight are computed, because equal
  // quotients y/2 are not recognised.
  EXPECT_EQ(Seen(up, "half compute_root", "g", {{4, 4}, {4, 7}}).loads("across"), 8);
}

TEST(Reads, QuotientsAreApartWhereTheyDifferBeforeTheDivision) {
  const auto isApart = [](const std::string &across, const std::string &of) {
    const Seen seen("func f(x y) 64 64 = \nfunc half(x y) 64 64 = f(x; y)\n"
                    "func g(x y) 64 64 = " +
                        across + "\noutput g\n",
                    "f compute_root", "g", {{4, 4}, {4, 4}});
    return seen.source(of).apart;
  };
  EXPECT_TRUE(isApart("half(x/2; y) half(x+1/2; y)", "half"));
  EXPECT_TRUE(isApart("half(x/2; y) half(x+1/2; y)", "f")); // f is read through an inlined func
  EXPECT_TRUE(isApart("half(x+[0,1]/2; y)", "f"));
  EXPECT_FALSE(isApart("half(x/2; y) half(x/2+1; y)", "f"));
  EXPECT_FALSE(isApart("half(x; y) half(x+1; y)", "f"));
}

TEST(Reads, AChoiceThatNumbersMakeIsNone) {
  const Seen seen("func a(x) 64 = \nfunc b(x) 64 = \nfunc pick(x c) 64 2 = a(x) b(x)\n"
                  "folded c = a(x)\nfunc g(x c) 64 2 = pick(x; c)\noutput g\n",
                  "a compute_root\nb compute_root", "g", {{4, 4}, {0, 1}});
  EXPECT_TRUE(seen.reads().choosesLoads(0));
  EXPECT_TRUE(seen.reads().choosesLoads(0b01)); // x is a constant, but c decides the choice
  EXPECT_FALSE(seen.reads().choosesLoads(0b10));
  EXPECT_FALSE(Seen(kBlur, "", "g", {{5, 5}, {7, 7}}).reads().choosesLoads(0));
}

TEST(Reads, OfOnePoint) {
  const Seen seen(kBlur, "f compute_root", "g", {{5, 5}, {7, 7}});
  EXPECT_EQ(seen.box("f"), (Box{{5, 7}, {7, 7}}));
  EXPECT_EQ(seen.loads("f"), 3);
  EXPECT_EQ(seen.reads().sources().size(), 1u);
}

TEST(Reads, ThroughAnInlinedFunc) {
  const Seen seen(kBlur, "", "g", {{5, 5}, {7, 7}});
  EXPECT_TRUE(seen.source("f").inlined);
  EXPECT_FALSE(seen.source("in").inlined);
  EXPECT_EQ(seen.box("in"), (Box{{5, 7}, {7, 9}}));
  EXPECT_EQ(seen.loads("f"), 3); // f is inlined and evaluated three times
  EXPECT_EQ(seen.loads("in"), 9);
}

TEST(Reads, NeighboursShareWhatTheyRead) {
  // Four points of a row read 12 values of f. Only six of these are different, and each of the six
  // reads 3 elements of the input.
  const Seen row(kBlur, "", "g", {{0, 3}, {0, 0}});
  EXPECT_EQ(row.loads("f"), 6);
  EXPECT_EQ(row.loads("in"), 6 * 3);
  // Four points of a column need 12 different values of f. The 36 elements that they read lie in a
  // box of 3 * 6.
  const Seen column(kBlur, "", "g", {{0, 0}, {0, 3}});
  EXPECT_EQ(column.loads("f"), 12);
  EXPECT_EQ(column.loads("in"), 3 * 6);
}

TEST(Reads, OfABoxWithGapsNoMoreThanIsAskedFor) {
  const Seen seen("input in 100\n"
                  "func f(x) 90 = in(x) in(x+1)\n"
                  "func g(x) 80 = f(x) f(x+10)\n"
                  "output g\n",
                  "", "g", {{3, 3}});
  EXPECT_EQ(seen.box("f"), (Box{{3, 13}}));
  EXPECT_EQ(seen.loads("f"), 2);
  EXPECT_EQ(seen.loads("in"), 4);
}

TEST(Reads, OfTwoReadersTheHull) {
  const Seen seen("input in 100\n"
                  "func e(x) 80 = in(x)\n"
                  "func f(x) 80 = in(x+10)\n"
                  "func g(x) 80 = e(x) f(x)\n"
                  "output g\n",
                  "", "g", {{3, 3}});
  EXPECT_EQ(seen.box("in"), (Box{{3, 13}}));
  EXPECT_EQ(seen.loads("in"), 2);
}

TEST(Reads, StridesAndBoundaries) {
  const Seen seen("func f(x y) 130 64 = \n"
                  "func g(x y) 64 64 = f(2*x; clamp(y-1,0,63)) f(2*x+1; clamp(y+1,0,63))\n"
                  "output g\n",
                  "f compute_root", "g", {{4, 7}, {0, 0}});
  EXPECT_EQ(seen.box("f"), (Box{{8, 15}, {0, 1}}));
  EXPECT_EQ(seen.loads("f"), 8); // 8 of the 16 elements in the box
}

TEST(Reads, WhereDataDecideAllMayBeRead) {
  const Seen seen("func f(x y) 100 64 = \nfunc g(x y) 64 64 = f(?; y)\noutput g\n",
                  "f compute_root", "g", {{4, 4}, {9, 9}});
  EXPECT_EQ(seen.box("f"), (Box{{0, 99}, {9, 9}}));
  EXPECT_EQ(seen.loads("f"), 1);
  EXPECT_EQ(seen.reads().gatheredBy(seen.source("f").firstDim), Reads::kBeyondLoops);
  EXPECT_EQ(seen.reads().gatheredBy(seen.source("f").firstDim + 1), 0u);
}

TEST(Reads, WhatALoopDecidesItDecidesThroughInlinedFuncs) {
  const Seen seen("func f(x y) 100 64 = \n"
                  "func h(x i) 64 100 = f(i; x)\n"
                  "func g(x y) 64 64 = h(x; ?y)\noutput g\n",
                  "f compute_root", "g", {{4, 4}, {9, 9}});
  EXPECT_EQ(seen.reads().gatheredBy(seen.source("h").firstDim + 1), 0b10u);
  EXPECT_EQ(seen.reads().scatteredBy(seen.source("f").firstDim), 0b10u);
  EXPECT_EQ(seen.reads().scatteredBy(seen.source("f").firstDim + 1), 0u);
  EXPECT_EQ(seen.reads().numbersIn(seen.source("h"), 0), 0u);
  // If y is a constant, so is the loop i of h, which y decides.
  EXPECT_EQ(seen.reads().numbersIn(seen.source("h"), 0b10), 0b10u);
}

// x goes through the four elements of f in 64 steps, as (int)(x / 16.0f) does.
TEST(Reads, ALoopThatDecidesGoesEvenlyThroughAllThatIsRead) {
  const auto box = [](const std::string &index, const Interval &x) {
    return Seen("func f(x) 4 = \nfunc g(x y) 64 64 = f(" + index + ")\noutput g\n",
                "f compute_root", "g", {x, {9, 9}})
        .box("f");
  };
  EXPECT_EQ(box("?x", {16, 31}), (Box{{1, 1}}));
  EXPECT_EQ(box("?x", {24, 39}), (Box{{1, 2}}));
  EXPECT_EQ(box("?x", {0, 63}), (Box{{0, 3}}));
  EXPECT_EQ(box("?", {16, 31}), (Box{{0, 3}})); // data decide
}

TEST(Reads, ALoopThatDecidesMovesWhatIsRead) {
  const auto movedBy = [](const std::string &index) {
    const Seen seen("func f(x) 4 = \nfunc g(x y) 64 64 = f(" + index + ")\noutput g\n",
                    "f compute_root", "g", {{0, 15}, {9, 9}});
    return seen.reads().movedBy(seen.source("f"));
  };
  EXPECT_EQ(movedBy("?x"), 0b01u);
  EXPECT_EQ(movedBy("?"), 0u);
}

// g reads h at an index that depends on data. h is inlined, so its reads of f depend on data too.
TEST(Reads, WhatDataChooseOfAnInlinedFuncTheyChooseOfWhatItReads) {
  const Seen seen("func f(x) 100 = \nfunc h(i) 99 = f(i) f(i+1)\n"
                  "func g(x) 64 = h(?)\noutput g\n",
                  "f compute_root", "g", {{0, 63}});
  EXPECT_TRUE(seen.reads().isGathered(seen.source("f")));
  EXPECT_EQ(seen.loads("f"), 128);
}

TEST(Reads, AClampChoosesAlongTheLoopsThatMoveIt) {
  const auto scattered = [](const std::string &reader) {
    const Seen seen("func f(c x) 4 100 = \n" + reader + "\noutput g\n", "f compute_root", "g",
                    {{0, 3}, {9, 9}});
    const std::uint32_t first = seen.source("f").firstDim;
    return std::pair{seen.reads().scatteredBy(first), seen.reads().scatteredBy(first + 1)};
  };
  EXPECT_EQ(scattered("func g(c x) 4 64 = f(clamp(c,0,2); x)"), std::pair(0b01u, 0u));
  EXPECT_EQ(scattered("func h(x c) 64 4 = f(c; clamp(x,0,50))\nfunc g(c x) 4 64 = h(x; c)"),
            std::pair(0u, 0b10u));
}

TEST(Reads, AnUpdateReadsItself) {
  const Seen seen("input in 64 64\nfunc s(x) 64 = \nupdate s(x) r:0:64 = s(x) in(x; r)\noutput s\n",
                  "", "s.update(0)", {{0, 63}, {5, 5}}); // r is the innermost loop
  EXPECT_TRUE(seen.source("s").self);
  EXPECT_FALSE(seen.source("in").self);
}

TEST(Reads, WhatIsNotReadIsNotFound) {
  const Seen seen(kBlur, "f compute_root", "g", {{5, 5}, {7, 7}});
  EXPECT_NE(seen.reads().find(pipeline::Producer::func(pipeline::FuncId{0})), nullptr);
  EXPECT_EQ(seen.reads().find(pipeline::Producer::func(pipeline::FuncId{1})), nullptr);
  EXPECT_EQ(seen.reads().find(pipeline::Producer::input(pipeline::InputId{0})), nullptr);
}

TEST(Reads, WhatDataChooseIsNeverKnownToBeTheSame) {
  const Seen seen("func f(x) 8 = \nfunc g(x y) 64 64 = f(?)\noutput g\n", "f compute_root", "g",
                  {{0, 63}, {0, 0}});
  EXPECT_EQ(seen.loads("f"), 64); // although the func has only 8 elements
  EXPECT_TRUE(seen.reads().isGathered(seen.source("f")));
}

TEST(Reads, OfAnInlinedFuncAlone) {
  const Seen seen(kBlur, "", "g", {{5, 5}, {7, 7}});
  const auto f = static_cast<std::size_t>(&seen.source("f") - seen.reads().sources().data());
  std::vector<Interval> boxes;
  seen.reads().evaluateFrom(f, Box{{20, 21}, {30, 30}}, boxes);
  const auto box = seen.source("in").boxIn(boxes);
  EXPECT_EQ(Box(box.begin(), box.end()), (Box{{20, 21}, {30, 32}}));
}

TEST(Reads, PassedOnIsWhatOnlyInlinedFuncsReadOneForOne) {
  const auto isPassedOn = [](const std::string &definitions, std::string_view source) {
    const Seen seen("input in 66 66\n" + definitions + "output g\n", "", "g", {{5, 5}, {7, 7}});
    return seen.source(source).passedOn;
  };
  const std::string copy = "func f(x y) 66 64 = in(x; y)\n";
  EXPECT_TRUE(isPassedOn(copy + "func g(x y) 64 64 = f(x; y) f(x+1; y)\n", "in"));
  EXPECT_FALSE(isPassedOn(copy + "func g(x y) 64 64 = f(x; y) f(x+1; y)\n", "f"));
  EXPECT_FALSE(isPassedOn(copy + "func g(x y) 64 64 = f(x; y) in(x; y)\n", "in"));
  EXPECT_FALSE(isPassedOn("func f(x y) 64 64 = in(x; y) in(x+1; y)\n"
                          "func g(x y) 64 64 = f(x; y)\n",
                          "in"));
}

TEST(Reads, VolumeOfABox) {
  EXPECT_EQ(volumeOf(Box{{0, 3}, {5, 6}}), 8);
  EXPECT_EQ(volumeOf({}), 1); // a scalar has one element
}

TEST(Reads, WhatTwoBoxesHaveInCommon) {
  EXPECT_EQ(volumeShared(Box{{0, 3}, {5, 6}}, Box{{2, 9}, {0, 6}}), 2 * 2);
  EXPECT_EQ(volumeShared(Box{{0, 3}, {5, 6}}, Box{{4, 9}, {5, 6}}), 0); // adjacent boxes
  EXPECT_EQ(volumeShared({}, {}), 1);                                   // both are the same scalar
}

} // namespace
} // namespace tessera::cost
