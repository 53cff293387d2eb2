// SPDX-License-Identifier: MIT
#include "engine/tune/search_run.h"

#include "tests/engine/schedule/scheduled.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {
namespace {

using machine::Machine;

// Returns a chain of stencils, long enough that no search ends at once.
search::Problem stencils(int length) {
  std::string text = "func f0(x y) 1024 1024 sine = \n";
  for (int f = 1; f <= length; ++f) {
    const std::string before = "f" + std::to_string(f - 1);
    text += "func f" + std::to_string(f) + "(x y) 1024 1024 = " + before + "(x-1; y) " + before +
            "(x; y) " + before + "(x+1; y)\n";
  }
  text += "output f" + std::to_string(length) + "\n";
  return {schedule::defaultSchedule(schedule::testing::scheduled(text, "").base()), Machine{}};
}

TEST(SearchRun, TellsCandidatesAndProgressOnTheWay) {
  const search::Problem problem = stencils(3);
  std::vector<double> seconds, fractions;
  const auto run = runSearch(
      "auto", problem, {},
      [&](const job::Progress &progress) { fractions.push_back(progress.fraction); },
      [&](const search::Candidate &candidate) { seconds.push_back(candidate.seconds); });
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_FALSE(run->cancelled);
  EXPECT_GT(run->evaluations, 0U);
  EXPECT_GT(run->seconds, 0);
  ASSERT_FALSE(seconds.empty());
  EXPECT_EQ(run->candidates, seconds.size());
  EXPECT_TRUE(std::ranges::is_sorted(seconds, std::greater{}));
  EXPECT_DOUBLE_EQ(run->best.seconds, seconds.back());
  EXPECT_LT(run->best.seconds, cost::predict(problem.start, problem.machine).seconds);
  EXPECT_TRUE(schedule::isLegal(run->best.schedule, problem.machine));
  ASSERT_FALSE(fractions.empty());
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
}

TEST(SearchRun, StopsWithItsBestSoFar) {
  std::stop_source stop;
  std::chrono::steady_clock::time_point asked;
  const auto run = runSearch("auto", stencils(40), stop.get_token(),
                             [&](const job::Progress &) {
                               asked = std::chrono::steady_clock::now();
                               stop.request_stop();
                             },
                             {});
  const auto taken = std::chrono::steady_clock::now() - asked;
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->cancelled);
  EXPECT_TRUE(schedule::isLegal(run->best.schedule, Machine{}));
  EXPECT_LT(taken, std::chrono::milliseconds(50));
}

TEST(SearchRun, OneThatIsStoppedBeforeKeepsTheStart) {
  std::stop_source stop;
  stop.request_stop();
  const search::Problem problem = stencils(3);
  const auto run = runSearch("auto", problem, stop.get_token(), {}, {});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->cancelled);
  EXPECT_EQ(run->best.schedule, problem.start);
}

TEST(SearchRun, TheVerdictIsAboutTheSecondsAlone) {
  EXPECT_EQ(verdictOn(0.283e-3, 0.315e-3), Verdict::Faster);
  EXPECT_EQ(verdictOn(0.315e-3, 0.283e-3), Verdict::Slower);
  EXPECT_EQ(verdictOn(0.1e-3 + 0.2e-3, 0.3e-3), Verdict::Same); // not equal as doubles
  EXPECT_EQ(name(Verdict::Slower), "slower");
}

TEST(SearchRun, RefusesWhatItCannotDo) {
  const auto unknown = runSearch("guess", stencils(1), {}, {}, {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "no algorithm is called 'guess'");
  search::Problem illegal = stencils(1);
  illegal.start = schedule::testing::scheduled( // more threads per block than any GPU allows
      illegal.start.base(), "f1 split x xo xi 2048 auto | gpu_blocks xo y | gpu_threads xi\n");
  const auto refused = runSearch("auto", illegal, {}, {}, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("is not legal"), std::string::npos);
}

} // namespace
} // namespace tessera::tune
