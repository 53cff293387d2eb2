// SPDX-License-Identifier: MIT
#include "engine/schedule/edits/edits.h"

#include "engine/schedule/rules/legality.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <utility>

namespace tessera::schedule {
namespace {

using pipeline::StageId;
using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;
using testing::scheduled;
using testing::stageOf;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kBlur = "input in 66 66\n"
                                   "func f(x y) 66 64 = in(x; y+[0,2])\n"
                                   "func g(x y) 64 64 = f(x+[0,2]; y)\n"
                                   "output g\n";

Schedule blur() {
  return scheduled(kBlur, "f compute_root | gpu_threads x | gpu_blocks y\n"
                          "g split x a b 32 guard_with_if | reorder b a y | gpu_threads b | "
                          "gpu_blocks a y");
}

std::vector<std::string> values(const std::vector<Edit> &edits, DecisionKind kind) {
  std::vector<std::string> values;
  for (const Edit &edit : edits)
    if (edit.decision.kind == kind) values.push_back(edit.value);
  return values;
}

std::vector<std::string> proposed(const Schedule &schedule, std::string_view stage,
                                  DecisionKind kind) {
  return values(proposals(schedule, stageOf(schedule, stage)), kind);
}

std::vector<std::string> legal(const Schedule &schedule, std::string_view stage,
                               DecisionKind kind) {
  return values(edits(schedule, stageOf(schedule, stage), {}), kind);
}

// Returns the schedule after the edit with that value.
Schedule after(const Schedule &schedule, std::string_view stage, std::string_view value) {
  for (const Edit &edit : proposals(schedule, stageOf(schedule, stage)))
    if (edit.value == value) return testing::withEdit(schedule, edit);
  ADD_FAILURE() << "no edit " << value;
  return schedule;
}

std::string linesOf(const Schedule &schedule, std::string_view func) {
  std::string text = testing::loweredText(schedule);
  const std::size_t at = text.find("\n" + std::string(func) + " ");
  text.erase(0, text.starts_with(std::string(func) + " ") ? 0 : at + 1);
  return text.substr(0, text.find('\n'));
}

TEST(Edits, PlacesAreTheLoopsOfAllReaders) {
  EXPECT_THAT(proposed(blur(), "f", DecisionKind::Compute),
              UnorderedElementsAre("inline", "at g: x_thread", "at g: x_block", "at g: y"));
}

TEST(Edits, WhereAFuncIsAlreadyIsNoEdit) {
  EXPECT_THAT(proposed(after(blur(), "f", "at g: x_block"), "f", DecisionKind::Compute),
              UnorderedElementsAre("inline", "own kernel", "at g: x_thread", "at g: y"));
}

TEST(Edits, PlacesGoThroughInlinedReadersAndAroundFusedOnes) {
  constexpr std::string_view kChain = "func e(x) 64 = \nfunc f(x) 64 = e(x)\n"
                                      "func g(x) 64 = f(x)\noutput g\n";
  EXPECT_THAT(proposed(scheduled(kChain, "e compute_root"), "e", DecisionKind::Compute),
              UnorderedElementsAre("inline", "at g: x"));
  EXPECT_THAT(
      proposed(scheduled(kChain, "f compute_at g:x\ne compute_root"), "e", DecisionKind::Compute),
      UnorderedElementsAre("inline", "at f: x", "at g: x"));
}

TEST(Edits, EveryPartMayHaveAnySize) {
  const Schedule schedule = blur();
  const StageId g = stageOf(schedule, "g");
  EXPECT_THAT(
      values(resizings(schedule, g, 12), DecisionKind::Factors),
      IsSupersetOf({"x_thread: 12", "x_thread: 12 unrolled inside", "y: 12 serial inside"}));
  EXPECT_THAT(proposed(schedule, "g", DecisionKind::Factors), Not(Contains("x_thread: 12")));
  const auto same = resizings(schedule, g, 32); // the present size is among the edits
  const auto edit = std::ranges::find(same, "x_thread: 32", &Edit::value);
  ASSERT_NE(edit, same.end());
  EXPECT_EQ(edit->plan, schedule.plan(edit->decision.func));
  EXPECT_TRUE(resizings(schedule, g, 0).empty());
  EXPECT_TRUE(resizings(schedule, g, kMostIterations + 1).empty());
  const Schedule inlined = after(schedule, "f", "inline");
  EXPECT_TRUE(resizings(inlined, stageOf(inlined, "f"), 12).empty());
}

TEST(Edits, AFuncWithUpdatesIsNotInlined) {
  const Schedule sum = scheduled("func s(x) 64 = \nupdate s(x) r:0:3 = s(x)\n"
                                 "func g(x) 64 = s(x)\noutput g\n",
                                 "s compute_root");
  EXPECT_THAT(proposed(sum, "s", DecisionKind::Compute), UnorderedElementsAre("at g: x"));
  EXPECT_TRUE(proposed(sum, "s.update(0)", DecisionKind::Compute).empty());
}

TEST(Edits, OnlyLegalPlacesAreLeft) {
  EXPECT_THAT(legal(blur(), "f", DecisionKind::Compute),
              UnorderedElementsAre("inline", "at g: x_thread", "at g: x_block"));
  EXPECT_TRUE(legal(blur(), "g", DecisionKind::Compute).empty()); // outputs have no other place
}

TEST(Edits, AnotherPlaceBringsLoopsThatFitThere) {
  EXPECT_EQ(linesOf(after(blur(), "f", "at g: x_block"), "f"),
            "f compute_at g:x_block | split x x_outer x_thread 32 guard_with_if | "
            "gpu_threads x_thread");
  EXPECT_EQ(linesOf(after(blur(), "f", "at g: x_thread"), "f"),
            "f compute_at g:x_thread | bound_storage x 3 | bound_storage y 1");
}

TEST(Edits, OfAnInlinedFuncThereAreOnlyPlaces) {
  const Schedule inlined = after(blur(), "f", "inline");
  for (const Edit &edit : proposals(inlined, stageOf(inlined, "f")))
    EXPECT_EQ(edit.decision.kind, DecisionKind::Compute) << edit.value;
}

TEST(Edits, InliningForgetsWhatWasDecided) {
  const Schedule decided = scheduled(kBlur, "f compute_root | store_in global | "
                                            "reorder_storage y x | align_storage x 32 | unroll y | "
                                            "bound_extent x 66");
  EXPECT_EQ(after(decided, "f", "inline"), scheduled(kBlur, ""));
}

TEST(Edits, StorageIsWhatThereIsAtThePlace) {
  EXPECT_THAT(proposed(blur(), "f", DecisionKind::Storage), UnorderedElementsAre("global"));
  const Schedule inBlock = after(blur(), "f", "at g: x_block");
  EXPECT_THAT(proposed(inBlock, "f", DecisionKind::Storage),
              UnorderedElementsAre("global", "shared", "registers"));
  EXPECT_THAT(legal(inBlock, "f", DecisionKind::Storage), UnorderedElementsAre("global", "shared"));
  const Schedule inThread = after(blur(), "f", "at g: x_thread");
  EXPECT_THAT(proposed(inThread, "f", DecisionKind::Storage), UnorderedElementsAre("global"));
}

TEST(Edits, WhatCannotBeMeasuredStillHasProposals) {
  Schedule broken = blur();
  FuncPlan plan = testing::planOf(broken, "g");
  plan.stages.front().nest.loops.pop_back();
  broken.set(testing::funcOf(broken, "g"), plan);
  EXPECT_FALSE(proposals(broken, stageOf(broken, "g")).empty());
}

TEST(Edits, NothingIsProposedThatNeverMakesSense) {
  const Schedule inThread = after(blur(), "f", "at g: x_thread");
  for (const Edit &edit : proposals(inThread, stageOf(inThread, "f"))) {
    if (edit.plan.compute != testing::planOf(inThread, "f").compute) continue;
    const LoopNest &nest = edit.plan.stages.front().nest;
    EXPECT_FALSE(nest.contains(LoopKind::Thread) || nest.contains(LoopKind::Block)) << edit.value;
  }
  EXPECT_TRUE(proposed(blur(), "g", DecisionKind::Compute).empty()) << "an output stays at root";
  const Schedule vectors = scheduled(kBlur, "g split x a b 4 shift_inwards | reorder b a | "
                                            "vectorize b | gpu_threads a | gpu_blocks y");
  for (const Edit &edit : proposals(vectors, stageOf(vectors, "g"))) {
    bool threads = false;
    for (const Loop &loop : edit.plan.stages.front().nest.loops) {
      threads = threads || loop.kind == LoopKind::Thread;
      EXPECT_FALSE(threads && loop.kind == LoopKind::Vectorized) << edit.value;
    }
  }
}

TEST(Edits, TheLayoutIsSwappedAndSwappedBack) {
  const Schedule swapped = after(blur(), "f", "swap x and y");
  EXPECT_EQ(testing::planOf(swapped, "f").layout, (std::vector<std::uint16_t>{1, 0}));
  EXPECT_EQ(after(swapped, "f", "swap x and y"), blur());
}

TEST(Edits, AFactorKeepsWhatIsInside) {
  const Schedule tiled = scheduled(kBlur, "g split x a b 32 auto | split b c d 4 auto | "
                                          "gpu_blocks a | unroll d");
  const auto factors = [&](std::string_view value) {
    return testing::textOf(testing::planOf(after(tiled, "g", value), "g").stages[0].nest)
        .substr(0, 8);
  };
  EXPECT_EQ(factors("x_unroll: 2"), "0/16/2 1");
  EXPECT_EQ(factors("x_middle: 16"), "0/64/4 1");
}

TEST(Edits, CopiesGoInside) {
  EXPECT_EQ(linesOf(after(blur(), "f", "x: 4 unrolled inside"), "f"),
            "f compute_root | split x x_thread x_unroll 4 guard_with_if | unroll x_unroll | "
            "gpu_threads x_thread | gpu_blocks y");
  EXPECT_THAT(legal(blur(), "f", DecisionKind::Factors),
              IsSupersetOf({"x: 4 unrolled inside", "y: 4 serial inside"}));
  EXPECT_THAT(
      legal(scheduled("func f(x) 64 = \noutput f\n", "f bound x 0 64"), "f", DecisionKind::Factors),
      Contains("x: 4 vectorized inside"));
}

TEST(Edits, LoopsChangePlacesAndKinds) {
  EXPECT_THAT(proposed(blur(), "f", DecisionKind::Order),
              IsSupersetOf({"x around y", "x serial", "x unrolled", "y thread"}));
  EXPECT_THAT(legal(blur(), "f", DecisionKind::Order), Not(Contains("y thread")));
  EXPECT_THAT(legal(blur(), "f", DecisionKind::Order), Contains("x serial"));
}

TEST(Edits, TailsThatOverrunAreNotOffered) {
  const Schedule ragged =
      scheduled("func g(x) 100 = \noutput g\n", "g split x a b 32 guard_with_if | gpu_blocks a");
  EXPECT_THAT(proposed(ragged, "g", DecisionKind::Tails),
              UnorderedElementsAre("x_inner: auto", "x_inner: round_up", "x_inner: shift_inwards"));
  EXPECT_THAT(legal(ragged, "g", DecisionKind::Tails),
              UnorderedElementsAre("x_inner: auto", "x_inner: shift_inwards"));
}

// The choices of one kind must have different names.
TEST(Edits, NoTwoOfAKindHaveOneName) {
  const Schedule tiled = scheduled(
      kBlur,
      "f compute_root | split x a b 8 auto | split y c d 8 auto | gpu_blocks a c\n"
      "g split x a b 32 auto | split b c d 4 auto | split y e h 8 auto | reorder d c h a e | "
      "gpu_blocks a e | gpu_threads c h | unroll d");
  for (const char *stage : {"f", "g"}) {
    std::set<std::pair<DecisionKind, std::string>> seen;
    for (const Edit &edit : proposals(tiled, stageOf(tiled, stage)))
      EXPECT_TRUE(seen.emplace(edit.decision.kind, edit.value).second)
          << stage << ": " << edit.value;
  }
}

TEST(Edits, ReductionsMayBecomeAtomic) {
  const auto sum = [](const std::string &property) {
    return scheduled("func s(x) 64 = \nupdate s(x) r:0:3 " + property + " = s(x)\noutput s\n", "");
  };
  EXPECT_THAT(legal(sum("commutative"), "s.update(0)", DecisionKind::Reduction),
              UnorderedElementsAre("atomic", "atomic, spread over threads"));
  EXPECT_TRUE(legal(sum(""), "s.update(0)", DecisionKind::Reduction).empty());
  EXPECT_TRUE(proposed(sum("commutative"), "s", DecisionKind::Reduction).empty());
}

TEST(Edits, EachIsOfTheStageAskedFor) {
  const Schedule sum = scheduled(
      "func s(x) 64 = \nupdate s(x) r:0:8 commutative = s(x)\noutput s\n", "s.1 gpu_blocks x");
  for (const Edit &edit : proposals(sum, stageOf(sum, "s.update(0)"))) {
    EXPECT_EQ(edit.decision.stage, 1U) << edit.value;
    EXPECT_EQ(edit.plan.stages[0], sum.plan(edit.decision.func).stages[0]) << edit.value;
  }
}

TEST(Edits, AreSignedAndStayFrozen) {
  Schedule schedule = blur();
  const Edit edit = proposals(schedule, stageOf(schedule, "f")).front();
  EXPECT_EQ(testing::withEdit(schedule, edit).mark(edit.decision), (Mark{Origin::User, false}));
  schedule.setMark(edit.decision, {Origin::Imported, true});
  EXPECT_EQ(testing::withEdit(schedule, edit, Origin::Search).mark(edit.decision),
            (Mark{Origin::Search, true}));
}

TEST(Edits, AreJudgedOnTheMachineInQuestion) {
  const Schedule schedule = blur();
  machine::Machine small;
  small.limits.threadsPerBlock = 1;
  KnownLegality legality(small), ofDefault{machine::Machine{}};
  for (const Edit &edit : proposals(schedule, stageOf(schedule, "f"))) {
    const Applied there = applied(schedule, edit, Origin::User, legality);
    const Applied here = applied(schedule, edit, Origin::User, ofDefault);
    EXPECT_EQ(there.schedule, here.schedule) << edit.value;
    EXPECT_EQ(there.violations, check(there.schedule, small)) << edit.value;
    EXPECT_EQ(here.violations, check(here.schedule, {})) << edit.value;
  }
  const auto isTooWide = [](const Violation &one) { return one.rule == Rule::ThreadsPerBlock; };
  EXPECT_TRUE(std::ranges::any_of(legality.check(schedule), isTooWide));
  EXPECT_TRUE(ofDefault.isLegal(schedule));
}

Place placeOf(const Schedule &schedule, std::string_view func) {
  return testing::planOf(schedule, func).compute;
}

// A block of g computes four rows one after the other. In each row, eight threads compute four
// points each.
Schedule rows(std::string_view place) {
  return scheduled(kBlur, "g split x a b 32 guard_with_if | split y c d 4 guard_with_if | "
                          "split b i j 4 guard_with_if | reorder j i d a c | gpu_threads i | "
                          "gpu_blocks a c\nf compute_at " +
                              std::string(place));
}

TEST(Edits, WhatIsBetweenThreadsThenFollowsToTheInnermost) {
  const Schedule schedule = rows("g:d");
  const Schedule edited = after(schedule, "g", "y_inner thread");
  EXPECT_EQ(placeOf(edited, "f"), placeOf(rows("g:i"), "f"));
  EXPECT_TRUE(isLegal(edited, {}));
  EXPECT_THAT(legal(schedule, "g", DecisionKind::Order), Contains("y_inner thread"));
}

TEST(Edits, WhatIsInsideOfAVectorThenFollowsToOutsideOfIt) {
  const Schedule edited = after(rows("g:j"), "g", "x_inner vectorized");
  EXPECT_EQ(placeOf(edited, "f"), placeOf(rows("g:i"), "f"));
  for (const Violation &one : check(edited, {}))
    EXPECT_NE(one.rule, Rule::VectorInnermost) << one.message;
}

TEST(Edits, WhatIsFrozenDoesNotFollow) {
  Schedule schedule = rows("g:d");
  const DecisionKey place{testing::funcOf(schedule, "f"), 0, DecisionKind::Compute, 0};
  schedule.setMark(place, {Origin::User, true});
  const Schedule edited = after(schedule, "g", "y_inner thread");
  EXPECT_EQ(placeOf(edited, "f"), placeOf(schedule, "f"));
  EXPECT_EQ(check(edited, {}).front().rule, Rule::PlaceBetweenBlocks);
}

// A boundary cuts f in the tile of a block, so Halide does not know the extent of f there.
constexpr std::string_view kClamped = "func e(x) 64 = \nfunc f(x) 64 = e(x)\n"
                                      "func g(x) 64 = f(clamp(x+[-1,1],0,63))\noutput g\n";

Schedule clamped(const std::string &f, const std::string &e) {
  return scheduled(kClamped, "g split x a b 32 guard_with_if | gpu_threads b | gpu_blocks a\n"
                             "f compute_at g:a" +
                                 f + "\ne compute_at " + e);
}

TEST(Edits, WhatIsUnrolledInAKernelGetsAConstantLength) {
  const Schedule edited = after(clamped("", "g:a"), "f", "x unrolled");
  EXPECT_TRUE(isLegal(edited, {}));
  EXPECT_EQ(testing::loweredText(edited),
            testing::loweredText(clamped(" | split x a b 33 guard_with_if | unroll b", "g:a")));
}

TEST(Edits, WhatIsInALoopThatGetsAConstantLengthStaysInIt) {
  Schedule schedule = clamped("", "f:x");
  const std::string unrolled = " | split x a b 33 guard_with_if | unroll b";
  EXPECT_EQ(testing::loweredText(after(schedule, "f", "x unrolled")),
            testing::loweredText(clamped(unrolled, "f:b")));
  schedule.setMark({testing::funcOf(schedule, "e"), 0, DecisionKind::Compute, 0},
                   {Origin::User, true});
  EXPECT_EQ(testing::loweredText(after(schedule, "f", "x unrolled")),
            testing::loweredText(clamped(unrolled, "f:a")));
}

TEST(Edits, AFrozenOrderGetsNoConstantLength) {
  Schedule schedule = clamped("", "g:a");
  const DecisionKey order{testing::funcOf(schedule, "f"), 0, DecisionKind::Order, 0};
  schedule.setMark(order, {Origin::User, true});
  EXPECT_EQ(check(after(schedule, "f", "x unrolled"), {}).front().rule, Rule::ConstantExtent);
}

TEST(Edits, ALoopOverAWholePictureGetsNoConstantLength) {
  const Schedule schedule = scheduled("func f(x y) 4 64 = \noutput f\n", "f gpu_blocks y");
  EXPECT_EQ(check(after(schedule, "f", "x unrolled"), {}).front().rule, Rule::ConstantExtent);
}

// Each thread keeps a row of 6 elements of f. If such rows were 8 elements apart, their vectors
// would not be adjacent.
constexpr std::string_view kRowsByThread = "input in 66 64\nfunc f(x y) 66 64 = in(x; y)\n"
                                           "func g(x y) 64 64 = f(x+[0,2]; y)\noutput g\n";
constexpr std::string_view kVectors = "g split x a b 32 shift_inwards | split b c d 4 "
                                      "guard_with_if | vectorize d | gpu_threads c | "
                                      "gpu_blocks a y\n";

TEST(Edits, WhatAThreadKeepsIsLaidOutForElementsWhereVectorsWouldNotBeAligned) {
  const Schedule schedule = scheduled(kRowsByThread, std::string(kVectors) + "f compute_root");
  const Schedule edited = after(schedule, "f", "at g: x_thread");
  EXPECT_TRUE(isLegal(edited, {}));
  const FuncPlan &plan = testing::planOf(edited, "f");
  EXPECT_THAT(plan.layout, ::testing::ElementsAre(1, 0));
  EXPECT_THAT(plan.storageDims, ::testing::ElementsAre(StorageDim{}, StorageDim{.alignment = 8}));
}

TEST(Edits, AFrozenLayoutStaysWhereVectorsWouldNotBeAligned) {
  Schedule schedule = scheduled(kRowsByThread, std::string(kVectors) + "f compute_root");
  const DecisionKey layout{testing::funcOf(schedule, "f"), 0, DecisionKind::Layout, 0};
  schedule.setMark(layout, {Origin::User, true});
  const Schedule edited = after(schedule, "f", "at g: x_thread");
  EXPECT_TRUE(testing::planOf(edited, "f").layout.empty());
  EXPECT_EQ(check(edited, {}).front().rule, Rule::FrameAlignment);
}

TEST(Edits, NoPlaceBetweenThreadsIsProposed) {
  const Schedule schedule = after(rows("g:i"), "g", "y_inner thread");
  const std::vector<std::string> places = proposed(schedule, "f", DecisionKind::Compute);
  EXPECT_THAT(places, Contains("at g: x_block"));
  EXPECT_THAT(places, Contains("at g: x_inner"));
  EXPECT_THAT(places, Not(Contains("at g: y_inner")));
}

} // namespace
} // namespace tessera::schedule
