// SPDX-License-Identifier: MIT
#include "engine/schedule/edits/default_schedule.h"

#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

namespace tessera::schedule {
namespace {

using pipeline::FuncId;
using pipeline::PipelineParts;
using pipeline::PipelinePtr;

std::string defaultOf(std::string_view text) {
  const Schedule schedule = defaultSchedule(pipeline::test::sketch(text));
  EXPECT_TRUE(isLegal(schedule, {})) << text;
  return testing::loweredText(schedule);
}

TEST(DefaultSchedule, AKernelHas256ThreadsAndAPointAThread) {
  EXPECT_EQ(defaultOf("func f(x y) 512 512 = \noutput f\n"),
            "f split x x_block x_thread 32 guard_with_if | "
            "split y y_block y_thread 8 guard_with_if | "
            "reorder x_thread y_thread x_block y_block | "
            "gpu_threads x_thread y_thread | gpu_blocks x_block y_block");
}

TEST(DefaultSchedule, APointIsASingleThread) {
  EXPECT_EQ(defaultOf("func f() = \noutput f\n"), "f gpu_single_thread");
}

TEST(DefaultSchedule, ReductionsAreSerialInTheirThread) {
  EXPECT_EQ(defaultOf("input in 64 512\n"
                      "func s(x) 512 = \n"
                      "update s(x) r:0:64 = s(x) in(r; x)\n"
                      "output s\n"),
            "s split x x_block x_thread 32 guard_with_if | gpu_threads x_thread | "
            "gpu_blocks x_block\n"
            "s.1 split x x_block_u0 x_thread_u0 32 guard_with_if | gpu_threads x_thread_u0 | "
            "gpu_blocks x_block_u0");
}

TEST(DefaultSchedule, AGridHasThreeDimensions) {
  const std::string text = defaultOf("func f(x y z w) 64 64 64 64 = \noutput f\n");
  EXPECT_NE(text.find("fuse z w z_w_block"), std::string::npos) << text;
  EXPECT_NE(text.find("gpu_blocks x_block y_block z_w_block"), std::string::npos) << text;
}

TEST(DefaultSchedule, AGridThatIsTooLongIsFused) {
  const std::string text = defaultOf("func f(x y) 32 1000000 = \noutput f\n");
  EXPECT_NE(text.find("gpu_blocks x_y_block"), std::string::npos) << text;
}

// --- inlining

bool isTrivialIn(std::string_view text) {
  return isTrivial(*pipeline::test::sketch(text), FuncId{0});
}

TEST(DefaultSchedule, InlinesWhatIsReadOnce) {
  EXPECT_TRUE(isTrivialIn("func f(x) 64 = \nfunc g(x) 64 = f(x)\noutput g\n"));
  EXPECT_TRUE(testing::planOf(
                  defaultSchedule(pipeline::test::sketch("func f(x) 64 = \nfunc g(x) 64 = f(x)\n"
                                                         "output g\n")),
                  "f")
                  .isInline());
}

TEST(DefaultSchedule, DoesNotInlineWhatIsReadAgain) {
  EXPECT_FALSE(isTrivialIn("func f(x) 64 = \nfunc g(x) 64 = f(x) f(x+1)\noutput g\n"));
  EXPECT_FALSE(isTrivialIn("func f(x) 64 = \nfunc g(x) 64 = f(x)\nfunc h(x) 64 = f(x) g(x)\n"
                           "output h\n"));
  EXPECT_FALSE(isTrivialIn("func f(x) 64 = \nfunc s(x) 64 = \n"
                           "update s(x) r:0:3 = s(x) f(x)\noutput s\n"));
}

TEST(DefaultSchedule, DoesNotInlineUpdatesAndOutputs) {
  EXPECT_FALSE(isTrivialIn("func f(x) 64 = \nupdate f(x) r:0:3 = f(x)\nfunc g(x) 64 = f(x)\n"
                           "output g\n"));
  EXPECT_FALSE(isTrivialIn("func f(x) 64 = \nfunc g(x) 64 = f(x)\noutput f\noutput g\n"));
}

TEST(DefaultSchedule, StopsInliningWhenTheExpressionGetsLarge) {
  PipelineParts parts = pipeline::test::sketchParts("func e(x) 64 = \nfunc f(x) 64 = e(x)\n"
                                                    "func g(x) 64 = f(x)\noutput g\n");
  parts.stages[0].operations[0].count = 30;
  parts.stages[1].operations[0].count = 30;
  const Schedule schedule = defaultSchedule(*pipeline::Pipeline::create(parts));
  EXPECT_TRUE(testing::planOf(schedule, "e").isInline());
  EXPECT_TRUE(testing::planOf(schedule, "f").isRoot()); // with the inlined e, f has 60 operations
}

} // namespace
} // namespace tessera::schedule
