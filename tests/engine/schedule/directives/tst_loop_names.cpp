// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/loop_names.h"

#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

namespace tessera::schedule {
namespace {

using testing::scheduled;

// Lists the names of all loops of a stage, innermost first. ~ marks a reduction loop.
std::string namesOf(const Schedule &schedule, std::string_view stageName) {
  const pipeline::StageId id = testing::stageOf(schedule, stageName);
  const LoopNest &nest = schedule.plan(id).nest;
  const LoopNames names(schedule.pipeline()->stage(id), nest);
  std::string text;
  for (const Loop &loop : nest.loops) {
    const LoopName &name = names.of(loop.ref);
    text += (text.empty() ? "" : " ") + std::string(name.reduction ? "~" : "") + name.name;
  }
  return text;
}

std::string names(const std::string &calls) {
  return namesOf(scheduled("func f(x y z) 64 64 64 = \noutput f\n", "f " + calls), "f");
}

std::string updateNames(const std::string &calls) {
  return namesOf(scheduled("input in 64 64\n"
                           "func f(x) 64 = \n"
                           "update f(x) r$x:0:8 r$y:0:8 = f(x) in(r$x; r$y)\n"
                           "output f\n",
                           "f.1 " + calls),
                 "f.update(0)");
}

TEST(LoopNames, WhatIsNotSplitKeepsItsName) { EXPECT_EQ(names("reorder z y x"), "z y x"); }

TEST(LoopNames, SayWhatALoopBecomes) {
  EXPECT_EQ(names("split x a b 32 auto | split b c d 4 auto | gpu_blocks a | gpu_threads c |"
                  "unroll d"),
            "x_unroll x_thread x_block y z");
  EXPECT_EQ(names("split x a b 32 auto | split y c d 4 auto | vectorize b | gpu_lanes d |"
                  "parallel c"),
            "x_vector x_outer y_lane y_task z");
}

TEST(LoopNames, SerialPartsAreOuterMiddleAndInner) {
  EXPECT_EQ(names("split x a b 32 auto | split b c d 4 auto"), "x_inner x_middle x_outer y z");
}

TEST(LoopNames, AreUnique) {
  EXPECT_EQ(names("split x a b 32 auto | split b c d 4 auto | unroll c | unroll d"),
            "x_unroll2 x_unroll x_outer y z");
}

TEST(LoopNames, DoNotTakeTheNameOfADimension) {
  EXPECT_EQ(
      namesOf(scheduled("func f(x x_outer) 64 64 = \noutput f\n", "f split x a b 8 auto"), "f"),
      "x_inner x_outer2 x_outer");
}

TEST(LoopNames, FusedLoopsBearAllNames) {
  EXPECT_EQ(names("fuse y z a | gpu_blocks a"), "x y_z_block");
  EXPECT_EQ(names("split x a b 8 auto | fuse a y c | split c d e 4 auto"),
            "x_inner x_y_inner x_y_outer z");
}

TEST(LoopNames, OfUpdatesHaveTheirNumber) {
  EXPECT_EQ(updateNames("split x a b 8 auto | gpu_threads b"), "~r$x ~r$y x_thread_u0 x_outer_u0");
}

TEST(LoopNames, ReductionsAreIdentifiers) {
  EXPECT_EQ(updateNames("split ~r$x ~a ~b 4 auto | unroll ~b"),
            "~r_x_unroll_u0 ~r_x_outer_u0 ~r$y x");
  EXPECT_EQ(updateNames("fuse ~r$x ~r$y ~a"), "~r_x_r_y_outer_u0 x");
}

} // namespace
} // namespace tessera::schedule
