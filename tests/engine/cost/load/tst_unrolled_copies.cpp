// SPDX-License-Identifier: MIT
// The work of a thread with unrolled loops: its conditions, and the distances of its copies.
#include "tests/engine/cost/loaded.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

using testing::Loaded;

const std::string kCopied = "g split x xo xi 16 guard_with_if | split y yo yi 8 guard_with_if | "
                            "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";

TEST(UnrolledCopies, AreGuardedWhereTheirTailAsksForIt) {
  const auto guarded = [](const std::string &factorAndTail) {
    return Loaded("func g(x y) 64 64 = \noutput g\n",
                  "g split y yo yu " + factorAndTail +
                      " | split x xo xi 16 guard_with_if | reorder yu xi xo yo | unroll yu | "
                      "gpu_threads xi | gpu_blocks xo yo")
        .stage("g")
        .guarded;
  };
  EXPECT_EQ(guarded("8 guard_with_if"), 1); // 8 divides 64, but 64 is only an estimate
  EXPECT_EQ(guarded("7 round_up"), 0);
  const auto guardedInTile = [](const std::string &factor) {
    return Loaded("func f(x y) 64 64 = \nfunc g(x y) 64 64 = f(x; y)\noutput g\n",
                  kCopied + "f compute_at g:xo | split y yo yu " + factor +
                      " guard_with_if | reorder yu x yo | unroll yu | gpu_threads x")
        .stage("f")
        .guarded;
  };
  EXPECT_EQ(guardedInTile("2"), 0); // 2 divides the extent of the tile
  EXPECT_EQ(guardedInTile("3"), 1);
}

TEST(UnrolledCopies, OfPartialSumsWaitForOneAnother) {
  const auto guarded = [](const std::string &splits) {
    return Loaded("func g(x) 64 = \nupdate g(x) r:0:512 = g(x)\noutput g\n",
                  splits +
                      "g split x xo xi 16 guard_with_if | gpu_threads xi | gpu_blocks xo\n"
                      "g.1 split x xo xi 16 guard_with_if | split " +
                      (splits.empty() ? "~r" : "~ro") +
                      " s t 8 guard_with_if | reorder ~t ~s xi xo | unroll ~t | gpu_threads xi | "
                      "gpu_blocks xo" +
                      (splits.empty() ? ""
                                      : "\npart compute_root | gpu_blocks x\n"
                                        "part.1 gpu_blocks x"))
        .stage("g.update(0)")
        .guarded;
  };
  EXPECT_EQ(guarded(""), 1);
  EXPECT_EQ(guarded("g.1 split ~r ~ro ~ri 4 guard_with_if | rfactor ~ro u -> part\n"), 8);
}

// A histogram in which each block has one of two features. Each unrolled copy loads its summand
// behind a branch.
TEST(UnrolledCopies, ThatChooseWhatTheyLoadWaitForOneAnother) {
  const auto guarded = [](const std::string &place, const std::string &choice) {
    return Loaded("input a 512\ninput b 512\nfunc pick(x c) 512 2 = a(x) b(x)\n" + choice +
                      "func h(z c) 16 2 = \n"
                      "update h(" +
                      place + " c) r:0:512:fixed = h(" + place +
                      "; c) pick(r; c)\nfunc g(z c) 16 2 = h(z; c)\noutput g\n",
                  "g split z zo zi 16 guard_with_if | gpu_threads zi | gpu_blocks zo c\n"
                  "h compute_at g:zo | gpu_threads z\n"
                  "h.1 split ~r ~ro ~ri 8 guard_with_if | reorder ~ri ~ro" +
                      std::string(place == "?" ? " c" : " z c") + " | unroll ~ri")
        .stage("h.update(0)")
        .guarded;
  };
  const std::string folded = "folded c = a(x)\n";
  EXPECT_EQ(guarded("?", folded), 8);
  EXPECT_EQ(guarded("?", ""), 0); // both features are loaded without a branch
  EXPECT_EQ(guarded("z", folded), 0);
}

// A thread of f computes two rows that are eight apart, with four adjacent sums in each, over three
// values of r.
StageLoad apart(const std::string &order) {
  return Loaded("input in 64 64\ninput w 3\n"
                "func f(x y) 64 64 = \n"
                "update f(x y) r:0:3 = f(x; y) in(x+r; y) w(r)\n"
                "func g(x y) 64 64 = f(x; y)\noutput g\n",
                "g split x xo xi 16 guard_with_if | split y yo yi 16 guard_with_if | "
                "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n"
                "f compute_at g:xo | gpu_threads x y\n"
                "f.1 split y yu yt 8 round_up | split x xt xu 4 round_up | reorder " +
                    order + " xt yt | unroll ~r | unroll yu | unroll xu | gpu_threads xt yt")
      .stage("f.update(0)");
}

TEST(UnrolledCopies, ThatAreApartHaveNothingBetweenThem) {
  const StageLoad load = apart("xu ~r yu");
  EXPECT_EQ(load.points, 2 * 4 * 3);
  // Six elements of the input for each row, and three weights that the rows share.
  EXPECT_EQ(load.loads, 2 * (4 + 2) + 3);
  // Eight sums are loaded, four with each access, and stored. The distance between the rows does
  // not matter.
  EXPECT_EQ(load.sharedAccesses, 8 / 4 + 8);
  EXPECT_EQ(load.sharedAccesses, apart("~r xu yu").sharedAccesses);
}

// The first two of 19 cells and the last one lie beyond the border. The 16 summands of such a cell
// are the same element.
const std::string kCells = "input in 256\nfunc f(x) 19 = \n"
                           "update f(x) r:0:16:fixed = f(x) in(clamp(16*x+r-32,0,255))\n"
                           "func g(x) 19 = f(x)\noutput g\n";

TEST(UnrolledCopies, AreThoseOfAThreadThatNoBoundaryIsNear) {
  const Loaded cells(kCells, "g split x xo xi 32 guard_with_if | gpu_threads xi | gpu_blocks xo\n"
                             "f compute_at g:xo | gpu_threads x\n"
                             "f.1 reorder ~r x | unroll ~r | gpu_threads x");
  EXPECT_EQ(cells.stage("f.update(0)").loads, 16);
}

// Two blocks cover all of g, and each is near a boundary, so the model looks at the middle thread
// of a block. A func that a thread keeps runs in the thread of its reader.
TEST(UnrolledCopies, OfFewBlocksAreThoseOfTheMiddleThreadToo) {
  const auto loads = [](const std::string &f) {
    return Loaded(kCells, "g split x xo xi 16 guard_with_if | gpu_threads xi | gpu_blocks xo\n" + f)
        .stage("f.update(0)")
        .loads;
  };
  EXPECT_EQ(loads("f compute_at g:xo | gpu_threads x\n"
                  "f.1 reorder ~r x | unroll ~r | gpu_threads x"),
            16);
  EXPECT_EQ(loads("f compute_at g:xi\nf.1 reorder ~r x | unroll ~r"), 16);
}

} // namespace
} // namespace tessera::cost
