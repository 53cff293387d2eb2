// SPDX-License-Identifier: MIT
// A schedule of a pipeline with an extern stage goes around it.
#include "engine/schedule/derivation.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/directives/raise.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/edits/edits.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/schedule/sketch.h"

#include <gmock/gmock.h>

namespace tessera::schedule {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Both a and b would be inlined if e were no extern stage.
pipeline::PipelinePtr aroundExtern() {
  return pipeline::test::sketch("input in 64 64\n"
                                "func a(x y) 64 64 = in(x; y)\n"
                                "func b(x y) 64 64 = in(x; y)\n"
                                "func e(x y) 64 64 extern = a(?; ?) b(?; ?)\n"
                                "func c(x y) 64 64 = e(x; y)\n"
                                "func d(x y) 64 64 = c(x; y)\n"
                                "output d\n");
}

TEST(ExternStage, TheDefaultScheduleIsLegalAndLeavesItAlone) {
  const Schedule schedule = defaultSchedule(aroundExtern());
  EXPECT_TRUE(isLegal(schedule, machine::Machine{}));
  for (const char *func : {"a", "b"}) {
    EXPECT_TRUE(testing::planOf(schedule, func).isRoot()) << func;
    EXPECT_TRUE(testing::planOf(schedule, func).stages.front().nest.contains(LoopKind::Block));
  }
  EXPECT_TRUE(testing::planOf(schedule, "c").isInline()) << "it only reads the extern stage";
  EXPECT_FALSE(testing::planOf(schedule, "e").stages.front().nest.contains(LoopKind::Block));
  EXPECT_THAT(testing::loweredText(schedule), HasSubstr("e compute_root\n"));
}

TEST(ExternStage, DirectivesComeBackAsTheyWere) {
  const Schedule schedule = defaultSchedule(aroundExtern());
  const auto again = raise(schedule.base(), lower(schedule));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, schedule);
}

TEST(ExternStage, WithoutADirectiveItIsComputedAtRoot) {
  const auto raised = raise(aroundExtern(), sketch("a compute_root\nb compute_root"));
  ASSERT_TRUE(raised) << raised.error().message;
  EXPECT_TRUE(testing::planOf(*raised, "e").isRoot());
}

TEST(ExternStage, NothingIsProposedForIt) {
  const Schedule schedule = defaultSchedule(aroundExtern());
  const pipeline::StageId foreign = testing::stageOf(schedule, "e");
  EXPECT_TRUE(proposals(schedule, foreign).empty());
  EXPECT_TRUE(resizings(schedule, foreign, 8).empty());
  const pipeline::StageId handed = testing::stageOf(schedule, "a");
  ASSERT_FALSE(proposals(schedule, handed).empty()) << "its loops may be changed";
  for (const Edit &edit : proposals(schedule, handed)) {
    EXPECT_NE(edit.decision.kind, DecisionKind::Compute) << edit.value;
    EXPECT_NE(edit.decision.kind, DecisionKind::Storage) << edit.value;
    EXPECT_NE(edit.decision.kind, DecisionKind::Layout) << edit.value;
  }
  for (const Edit &edit : proposals(schedule, testing::stageOf(schedule, "c")))
    EXPECT_THAT(edit.value, Not(HasSubstr("at e")));
}

TEST(ExternStage, ReadsNoCopiesAndHasNoClone) {
  Schedule schedule(aroundExtern());
  const Status copied = schedule.add(Wrapper{"a_copy", "a", {"e"}});
  ASSERT_FALSE(copied);
  EXPECT_THAT(copied.error().message, HasSubstr("a is read by e, an extern stage"));
  const Status cloned = schedule.add(Clone{"e_clone", "e", {"c"}});
  ASSERT_FALSE(cloned);
  EXPECT_THAT(cloned.error().message, HasSubstr("e is an extern stage, which is called once"));
  EXPECT_TRUE(schedule.add(Wrapper{"e_copy", "e", {"c"}})) << "its result may be copied";
}

} // namespace
} // namespace tessera::schedule
