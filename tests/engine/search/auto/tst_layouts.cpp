// SPDX-License-Identifier: MIT
#include "engine/search/auto/layouts.h"

#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/group.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/freezes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::search {
namespace {

using pipeline::test::sketch;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::planOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Each point of g reads table(z, 0) … table(z, 3) at an index z that depends on data.
const std::string kLookUp = "input in 4096 4096\n"
                            "func table(z c) 4096 4 sine = in(z; c)\n"
                            "func g(x y) 4096 4096 = in(x; y) table(?; 0) table(?; 1) "
                            "table(?; 2) table(?; 3)\n"
                            "output g\n";

// A machine whose first-level cache answers every load at once, so that addresses take the time.
machine::Machine withFastCache() {
  machine::Machine machine;
  machine.sm.cacheBytesPerClock *= 8;
  return machine;
}

Schedule startOf(const std::string &text) { return schedule::defaultSchedule(sketch(text)); }

TEST(Layouts, PutSideBySideWhatIsReadTogether) {
  const Schedule start = startOf(kLookUp);
  const Laid laid = withLayouts(start, withFastCache());
  EXPECT_EQ(laid.changed, 1U);
  EXPECT_GE(laid.evaluations, 1U);
  EXPECT_THAT(planOf(laid.schedule, "table").layout, ElementsAre(1, 0));
  EXPECT_TRUE(schedule::isLegal(laid.schedule, {}));
  EXPECT_THAT(planOf(start, "table").layout, IsEmpty());
}

TEST(Layouts, AreLeftWhereNeighboursAreReadByNeighbours) {
  const Schedule start = startOf("input in 4096 4096\n"
                                 "func f(x y) 4096 4096 sine = in(x; y)\n"
                                 "func g(x y) 4096 4096 = f(x; y) f(x; y)\n"
                                 "output g\n");
  const Laid laid = withLayouts(start, {});
  EXPECT_EQ(laid.changed, 0U);
  EXPECT_EQ(laid.schedule, start);
}

TEST(Layouts, OfWhatIsFrozenStay) {
  Schedule start = startOf(kLookUp);
  testing::freeze(start, "table", schedule::DecisionKind::Layout);
  EXPECT_EQ(withLayouts(start, withFastCache()).changed, 0U);
}

TEST(Layouts, StayWhenAKernelIsWrittenAnew) {
  const Laid laid = withLayouts(startOf(kLookUp), withFastCache());
  const auto written = withGroup(laid.schedule, {funcOf(laid.schedule, "g"),
                                                 Tile{},
                                                 {{funcOf(laid.schedule, "table")}},
                                                 laid.schedule.pipeline()->ids()});
  ASSERT_TRUE(written);
  EXPECT_FALSE(planOf(*written, "table").isRoot());
  EXPECT_THAT(planOf(*written, "table").layout, ElementsAre(1, 0));
}

} // namespace
} // namespace tessera::search
