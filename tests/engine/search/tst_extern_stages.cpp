// SPDX-License-Identifier: MIT
// All searches schedule what is around an extern stage.
#include "engine/search/algorithms.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/searched.h"

#include <gtest/gtest.h>

namespace tessera::search {
namespace {

using machine::Machine;
using schedule::Schedule;
using schedule::testing::planOf;

constexpr const char *kAround = "input in 1024 1024\n"
                                "func p(x y) 1024 1024 sine = in(x; y)\n"
                                "func a(x y) 1024 1022 = p(x; y+[0,2])\n"
                                "func e(x y) 1024 1022 extern = a(?; ?) p(?; ?)\n"
                                "func q(x y) 1024 1022 sine = e(x; y)\n"
                                "func c(x y) 1022 1022 = q(x+[0,2]; y)\n"
                                "output c\n";

class AroundExterns : public ::testing::TestWithParam<const char *> {};

TEST_P(AroundExterns, TheRestIsScheduledAndTheExternStageStays) {
  const Schedule start = schedule::defaultSchedule(pipeline::test::sketch(kAround));
  const testing::Searched found =
      testing::searched({.start = start, .machine = Machine{}}, GetParam());
  EXPECT_TRUE(schedule::isLegal(found.best.schedule, Machine{}));
  EXPECT_LT(found.best.seconds, found.startSeconds);
  EXPECT_TRUE(planOf(found.best.schedule, "e") == planOf(start, "e"));
  for (const char *handed : {"a", "p"})
    EXPECT_TRUE(planOf(found.best.schedule, handed).isRoot()) << handed;
}

INSTANTIATE_TEST_SUITE_P(Searches, AroundExterns, ::testing::Values("auto", "autogpu"),
                         [](const auto &at) { return std::string(at.param); });

TEST(ExternSearch, APipelineOfAnExternStageAloneHasNothingToSearch) {
  const Schedule start = schedule::defaultSchedule(
      pipeline::test::sketch("input in 64\nfunc e(x) 64 extern = in(?)\noutput e\n"));
  for (const char *algorithm : {"auto", "autogpu"}) {
    const testing::Searched found =
        testing::searched({.start = start, .machine = Machine{}}, algorithm);
    EXPECT_EQ(found.best.schedule, start) << algorithm;
    EXPECT_EQ(found.best.seconds, 0) << algorithm;
  }
}

} // namespace
} // namespace tessera::search
