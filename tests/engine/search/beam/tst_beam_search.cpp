// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_search.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/search/freezes.h"
#include "tests/engine/search/searched.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using pipeline::test::sketch;
using ::testing::ElementsAre;

constexpr std::string_view kChain = R"(
  input in 1536 2560
  func a(x y) 1536 2558 sine = in(x; y) in(x; y+1) in(x; y+2)
  func b(x y) 1536 2556 sine = a(x; y) a(x; y+1) a(x; y+2)
  func c(x y) 1536 2554 sine = b(x; y) b(x; y+1) b(x; y+2)
  output c
)";
constexpr std::string_view kProduct = R"(
  input a 512 512
  input b 512 512
  func c(x y) 512 512 = 
  update c(x y) r:0:512 = c(x; y) a(r; y) b(x; r)
  func d(x y) 512 512 = c(x; y)
  output d
)";

Problem problemOf(std::string_view pipeline, const ParameterValues &parameters = {}) {
  Problem problem{schedule::defaultSchedule(sketch(pipeline)), {}};
  problem.parameters = parameters;
  return problem;
}

const ParameterValues kFew{{"SAMPLES", 4}, {"BEAM", 4}, {"PASSES", 2}};

TEST(BeamSearch, FindsALegalSchedule) {
  for (const std::string_view pipeline : {kChain, kProduct}) {
    const Problem problem = problemOf(pipeline, kFew);
    const testing::Searched found = testing::searched(problem, "beam");
    EXPECT_TRUE(schedule::isLegal(found.best.schedule, problem.machine));
    EXPECT_EQ(found.best.seconds, cost::predict(found.best.schedule, problem.machine).seconds);
    EXPECT_LT(found.best.seconds, found.startSeconds);
    EXPECT_EQ(found.progress.back(), 1);
    EXPECT_THAT(found.phases,
                ElementsAre("pre-pass", "passes", "greedy samples", "staging", "done"));
  }
}

TEST(BeamSearch, DependsOnItsSeedAlone) {
  Problem problem = problemOf(kChain, kFew);
  const testing::Searched one = testing::searched(problem, "beam");
  const testing::Searched again = testing::searched(problem, "beam");
  EXPECT_EQ(one.best.schedule, again.best.schedule);
  EXPECT_EQ(one.evaluations, again.evaluations);
}

TEST(BeamSearch, KeepsItsBudget) {
  Problem problem = problemOf(kChain);
  problem.evaluations = 100;
  const testing::Searched found = testing::searched(problem, "beam");
  EXPECT_LE(found.evaluations, 100U + found.mostInAStep);
  EXPECT_LE(found.best.seconds, found.startSeconds);
  EXPECT_TRUE(schedule::isLegal(found.best.schedule, problem.machine));
}

// A larger batch begins with the same samples.
TEST(BeamSearch, MoreSamplesAreNoWorse) {
  ParameterValues more = kFew;
  more["SAMPLES"] = 10;
  more["STAGING"] = 2;
  ParameterValues few = kFew;
  few["STAGING"] = 2;
  EXPECT_LE(testing::searched(problemOf(kChain, more), "beam").best.seconds,
            testing::searched(problemOf(kChain, few), "beam").best.seconds * (1 + 1e-9));
}

double costOf(const ParameterValues &parameters) {
  BeamSearch search(problemOf(kChain, parameters));
  while (search.step()) {
  }
  double cost = 0;
  for (const KernelCost &kernel : search.kernelCosts())
    cost += kernel.terms.front().second;
  return cost;
}

// Section 8: the mode "top 5" measures the five samples of least cost.
TEST(BeamSearch, OtherSamplesFollowByTheirCost) {
  double before = 0;
  for (const double rank : {1, 2, 3}) {
    const double cost = costOf({{"SAMPLES", 10}, {"BEAM", 4}, {"PASSES", 2}, {"RANK", rank}});
    EXPECT_GE(cost, before);
    before = cost;
  }
  EXPECT_GT(before, costOf({{"SAMPLES", 10}, {"BEAM", 4}, {"PASSES", 2}}));
}

TEST(BeamSearch, ABatchIsAllDifferentSamplesTheResultFirst) {
  const Problem problem = problemOf(kChain, {{"SAMPLES", 10}, {"BEAM", 4}, {"PASSES", 2}});
  BeamSearch search(problem);
  while (search.step()) {
  }
  ASSERT_GE(search.samples(), 3U);
  EXPECT_EQ(search.lowered(0), search.best().schedule);
  for (std::size_t sample = 1; sample < search.samples(); ++sample) {
    EXPECT_TRUE(schedule::isLegal(search.lowered(sample), problem.machine));
    EXPECT_FALSE(search.lowered(sample) == search.lowered(sample - 1));
  }
}

TEST(BeamSearch, HoldsWhatIsFrozen) {
  Problem problem = problemOf(kChain, kFew);
  testing::freeze(problem.start, "b");
  const testing::Searched found = testing::searched(problem, "beam");
  EXPECT_TRUE(testing::changedFrozen(problem.start, found.best.schedule).empty());
  EXPECT_TRUE(schedule::isLegal(found.best.schedule, problem.machine));
}

TEST(BeamSearch, SaysThatThereIsNoLearnedCost) {
  BeamSearch search(problemOf(kChain, {{"COST", 1}, {"SAMPLES", 1}, {"BEAM", 1}, {"PASSES", 1}}));
  while (search.step()) {
  }
  ASSERT_FALSE(search.remarks().empty());
  EXPECT_EQ(search.remarks().front(),
            "no learned weights are loaded, so COST=analytic ranked the states");
}

} // namespace
} // namespace tessera::search
