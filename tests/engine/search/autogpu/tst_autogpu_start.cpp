// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_start.h"

#include "engine/search/autogpu/autogpu_nest.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/freezes.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string_view>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using schedule::DecisionKind;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::planOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kThree = R"(
  input in 1544 2568
  func first(x y) 1540 2568 = in(x; y) in(x+1; y) in(x+2; y) in(x+3; y) in(x+4; y)
  func second(x y) 1540 2564 = first(x; y) first(x; y+1) first(x; y+2) first(x; y+3) first(x; y+4)
  func out(x y) 1536 2564 = second(x; y) second(x+1; y) second(x+2; y) second(x+3; y) second(x+4; y)
  output out
)";

// All in one kernel.
Schedule together() {
  const Schedule start = schedule::defaultSchedule(pipeline::test::sketch(kThree));
  const auto written = withOverlappedTiles(
      start, {FuncId{2}, {FuncId{0}, FuncId{1}, FuncId{2}}, {}, {32, 8}, {true, true}},
      AutoGpuTails::Automatic);
  EXPECT_TRUE(written && schedule::isLegal(*written, {}));
  return *written;
}

AutoGpuStart begun(const Schedule &start) {
  const FrozenDecisions frozen(start);
  auto found = autoGpuStart(start, {}, frozen);
  if (!found) throw std::runtime_error("nothing to begin with");
  EXPECT_TRUE(schedule::isLegal(found->schedule, {}));
  EXPECT_THAT(testing::changedFrozen(start, found->schedule), IsEmpty());
  return *found;
}

TEST(AutoGpuStart, IsTheDefaultWhereNothingIsFrozen) {
  const AutoGpuStart start = begun(together());
  const Schedule fresh = schedule::defaultSchedule(start.schedule.pipeline());
  for (const char *func : {"first", "second", "out"})
    EXPECT_EQ(planOf(start.schedule, func), planOf(fresh, func)) << func;
  EXPECT_THAT(start.kept, IsEmpty());
  EXPECT_THAT(start.held, IsEmpty());
}

// A frozen tile of the output does not hold its members.
TEST(AutoGpuStart, FreesTheMembersOfAKernelWhoseOutputHasSomethingFrozen) {
  Schedule schedule = together();
  testing::freeze(schedule, "out", DecisionKind::Factors);
  const AutoGpuStart start = begun(schedule);
  EXPECT_THAT(start.kept, IsEmpty());
  EXPECT_THAT(start.held, ElementsAre(FuncId{2}));
  EXPECT_TRUE(planOf(start.schedule, "first").isRoot());
  EXPECT_TRUE(planOf(start.schedule, "second").isRoot());
  EXPECT_EQ(planOf(start.schedule, "out"), planOf(schedule, "out"));
}

// A frozen place holds the func there, and the loop that it names. The other member is free.
TEST(AutoGpuStart, HoldsAFuncWithAFrozenPlaceInItsKernel) {
  Schedule schedule = together();
  testing::freeze(schedule, "second", DecisionKind::Compute);
  const AutoGpuStart start = begun(schedule);
  EXPECT_THAT(start.held, ElementsAre(FuncId{1}, FuncId{2}));
  EXPECT_TRUE(planOf(start.schedule, "first").isRoot());
  EXPECT_EQ(planOf(start.schedule, "second").compute, planOf(schedule, "second").compute);
}

// Only Halide knows what an opaque directive does, so that its kernel is kept whole.
TEST(AutoGpuStart, KeepsAKernelThatCannotBeWrittenAnew) {
  Schedule schedule = together();
  schedule::FuncPlan plan = planOf(schedule, "out");
  plan.stages.front().opaque = {
      {schedule::Verb::BoundExtent,
       {schedule::LoopName{"x"}, *schedule::sizeExpressionFrom("in.extent.0 - 8")}}};
  schedule.set(funcOf(schedule, "out"), plan);
  const AutoGpuStart start = begun(schedule);
  EXPECT_THAT(start.kept, ElementsAre(FuncId{0}, FuncId{1}, FuncId{2}));
  EXPECT_EQ(planOf(start.schedule, "first"), planOf(schedule, "first"));
}

} // namespace
} // namespace tessera::search
