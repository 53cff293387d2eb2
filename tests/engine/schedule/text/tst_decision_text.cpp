// SPDX-License-Identifier: MIT
#include "engine/schedule/text/decision_text.h"

#include "engine/schedule/edits/edits.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::schedule {
namespace {

using testing::scheduled;
using testing::stageOf;

const char *const kPipeline = "input in 66 66\n"
                              "func f(x y) 66 64 = in(x; y+[0,2])\n"
                              "func h(x) 64 = f(x; 0)\n"
                              "update h(x) r:0:64 = h(x) in(x; r)\n"
                              "func i(x y) 64 64 = f(x; y)\n"
                              "func g(x y) 64 64 = f(x+[0,2]; y) h(x) i(x; y)\n"
                              "output g\n";

Schedule example() {
  return scheduled(
      kPipeline,
      "h compute_root | gpu_threads x\n"
      "h.1 split ~r ~ro ~ri 8 auto | unroll ~ri | gpu_threads x\n"
      "f compute_at g:xo | store_in shared | reorder_storage y x | gpu_threads x y\n"
      "g split x xo xi 32 guard_with_if | split xi xt xu 4 auto | unroll xu | reorder xu xt y xo "
      "| gpu_blocks xo | gpu_threads xt");
}

std::string cell(const Schedule &schedule, const char *stage, DecisionColumn column) {
  return cellText(schedule, stageOf(schedule, stage), column);
}

TEST(DecisionText, SaysEachCellInWords) {
  const Schedule schedule = example();
  EXPECT_EQ(cell(schedule, "f", DecisionColumn::Compute), "at g: x_block");
  EXPECT_EQ(cell(schedule, "i", DecisionColumn::Compute), "inline");
  EXPECT_EQ(cell(schedule, "g", DecisionColumn::Compute), "own kernel");
  EXPECT_EQ(cell(schedule, "h.update(0)", DecisionColumn::Compute), "") << "that of h";
  EXPECT_EQ(cell(schedule, "f", DecisionColumn::Memory), "shared");
  EXPECT_EQ(cell(schedule, "g", DecisionColumn::Tile), "x 8×4");
  EXPECT_EQ(cell(schedule, "h.update(0)", DecisionColumn::Tile), "r 8");
  EXPECT_EQ(cell(schedule, "g", DecisionColumn::Loops),
            "block x · serial y · thread x · unrolled x");
  EXPECT_EQ(cell(schedule, "f", DecisionColumn::Loops), "thread y x");
  EXPECT_EQ(cell(schedule, "g", DecisionColumn::Unroll), "x 4");
  EXPECT_EQ(cell(schedule, "g", DecisionColumn::Vector), "");
  EXPECT_EQ(cell(schedule, "g", DecisionColumn::Tails), "x guard_with_if, auto");
  EXPECT_EQ(cell(schedule, "h.update(0)", DecisionColumn::Tails), "auto") << "all alike";
  EXPECT_EQ(cell(schedule, "h.update(0)", DecisionColumn::Reduction), "in turn");
  EXPECT_EQ(cell(schedule, "f", DecisionColumn::Other), "layout 1 0");
  EXPECT_EQ(settingText(schedule, DecisionColumn::Registers), "64");
}

TEST(DecisionText, ShowsOpaqueDirectivesAsCalls) {
  const Schedule schedule = scheduled("input in 64\nfunc f(x) 64 = in(x)\noutput f\n",
                                      "f bound x 0 in.extent.0/2*2 | specialize in.extent.0>8");
  const std::string calls = "bound(x, 0, in.extent.0/2*2) · specialize(in.extent.0 > 8)";
  EXPECT_EQ(cell(schedule, "f", DecisionColumn::Other), calls);
  const DecisionKey key{{}, 0, DecisionKind::Opaque, 0};
  EXPECT_EQ(subjectOf(schedule, key), "opaque directives of f");
  EXPECT_EQ(valueOf(schedule, key), calls);
  ASSERT_EQ(opaqueCalls(schedule).size(), 2U);
  EXPECT_EQ(opaqueCalls(schedule)[1].call, "specialize(in.extent.0 > 8)");
}

TEST(DecisionText, AnInlinedStageHasAPlaceAlone) {
  const Schedule schedule = example();
  for (int c = 1; c < kDecisionColumns; ++c)
    EXPECT_EQ(cell(schedule, "i", static_cast<DecisionColumn>(c)), "") << c;
  EXPECT_EQ(decisionsIn(schedule, stageOf(schedule, "i"), DecisionColumn::Compute).size(), 1U);
  EXPECT_TRUE(decisionsIn(schedule, stageOf(schedule, "i"), DecisionColumn::Tile).empty());
}

TEST(DecisionText, AnUpdateIsFrozenWithThePlaceOfItsFunc) {
  const Schedule schedule = example();
  const DecisionKey place{testing::funcOf(schedule, "h"), 0, DecisionKind::Compute, 0};
  for (const char *stage : {"h", "h.update(0)"}) {
    const auto decisions = decisionsOf(schedule, stageOf(schedule, stage));
    EXPECT_EQ(std::ranges::count(decisions, place), 1) << stage;
  }
  EXPECT_TRUE(
      decisionsIn(schedule, stageOf(schedule, "h.update(0)"), DecisionColumn::Compute).empty());
}

// A cell changes if the decisions that it names change, and not otherwise.
TEST(DecisionText, AnEditChangesACellOfItsDecision) {
  const Schedule schedule = example();
  std::size_t edits = 0;
  for (const char *stage : {"f", "h", "h.update(0)", "g"})
    for (const Edit &edit : proposals(schedule, stageOf(schedule, stage))) {
      if (edit.decision.kind == DecisionKind::Compute ||
          edit.decision.kind == DecisionKind::Reduction)
        continue; // these edits change other loops too
      const Schedule after = testing::withEdit(schedule, edit);
      bool isTold = false;
      for (int c = 0; c < kDecisionColumns; ++c) {
        const auto column = static_cast<DecisionColumn>(c);
        if (cell(schedule, stage, column) == cell(after, stage, column)) continue;
        for (const DecisionKey &key : decisionsIn(after, stageOf(schedule, stage), column))
          isTold = isTold || key == edit.decision;
      }
      EXPECT_TRUE(isTold) << stage << ": " << subjectOf(schedule, edit.decision) << " "
                          << edit.value;
      ++edits;
    }
  EXPECT_GT(edits, 50U);
}

TEST(DecisionText, NamesWhatADecisionIsAbout) {
  const Schedule schedule = example();
  const pipeline::FuncId g = testing::funcOf(schedule, "g"), h = testing::funcOf(schedule, "h");
  EXPECT_EQ(subjectOf(schedule, {g, 0, DecisionKind::Factors, 0}), "tile of g along x");
  EXPECT_EQ(subjectOf(schedule, {h, 1, DecisionKind::Order, 0}), "loops of h.update(0)");
  EXPECT_EQ(subjectOf(schedule, {{}, 0, DecisionKind::RegisterCap, 0}), "register cap");
  EXPECT_EQ(valueOf(schedule, {g, 0, DecisionKind::Factors, 0}), "32, 4");
}

} // namespace
} // namespace tessera::schedule
