// SPDX-License-Identifier: MIT
#include "engine/search/auto/placement_search.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/text/schedule_json.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/searched.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string>
#include <thread>

namespace tessera::search {
namespace {

using machine::Machine;
using pipeline::test::sketch;
using schedule::Schedule;
using schedule::testing::planOf;
using testing::Searched;
using testing::searched;

std::size_t kernelsOf(const Schedule &schedule) {
  return cost::predict(schedule, {}).kernels.size();
}

// Checks what holds for every search of every pipeline.
void expectSound(const Searched &found, const Machine &machine = {}) {
  const auto violations = schedule::check(found.best.schedule, machine);
  EXPECT_TRUE(violations.empty()) << violations.front().message;
  EXPECT_LE(found.best.seconds, found.startSeconds);
  EXPECT_DOUBLE_EQ(found.best.seconds, cost::predict(found.best.schedule, machine).seconds);
}

const std::string kStencils = "input in 2052 2052\n"
                              "func a(x y) 2050 2052 sine = in(x; y) in(x+1; y) in(x+2; y)\n"
                              "func b(x y) 2050 2050 sine = a(x; y) a(x; y+1) a(x; y+2)\n"
                              "func c(x y) 2048 2048 = b(x; y) b(x+1; y+1) b(x+2; y+2)\n"
                              "output c\n";

// --- what the search finds

TEST(PlacementSearch, APointwiseChainBecomesOneKernel) {
  // Each func is read twice, so that none is inlined from the start.
  const std::string text = "input in 2048 2048\n"
                           "func a(x y) 2048 2048 = in(x; y)\n"
                           "func b(x y) 2048 2048 = a(x; y) a(x; y) in(x; y)\n"
                           "func c(x y) 2048 2048 = b(x; y) a(x; y)\n"
                           "func d(x y) 2048 2048 = c(x; y) b(x; y)\n"
                           "output d\n";
  ASSERT_GT(kernelsOf(schedule::defaultSchedule(sketch(text))), 1u);
  const Searched found = searched(text);
  expectSound(found);
  EXPECT_EQ(kernelsOf(found.best.schedule), 1u);
  EXPECT_LT(found.best.seconds, 0.7 * found.startSeconds);
}

TEST(PlacementSearch, AStencilIsFusedOrInlinedWhereThatIsFaster) {
  const Searched found = searched("input in 2050 2050\n"
                                  "func a(x y) 2050 2050 sine = in(x; y)\n"
                                  "func b(x y) 2048 2048 = a(x; y) a(x+1; y) a(x+2; y) "
                                  "a(x; y+1) a(x+1; y+1) a(x+2; y+1) "
                                  "a(x; y+2) a(x+1; y+2) a(x+2; y+2)\n"
                                  "output b\n");
  expectSound(found);
  EXPECT_FALSE(planOf(found.best.schedule, "a").isRoot());
  EXPECT_EQ(kernelsOf(found.best.schedule), 1u);
  EXPECT_LT(found.best.seconds, 0.9 * found.startSeconds);
}

TEST(PlacementSearch, AChainOfStencilsGetsFaster) {
  const Searched found = searched(kStencils);
  expectSound(found);
  EXPECT_LT(kernelsOf(found.best.schedule),
            kernelsOf(schedule::defaultSchedule(sketch(kStencils))));
  EXPECT_LT(found.best.seconds, 0.9 * found.startSeconds);
}

TEST(PlacementSearch, WhatEveryPointReadsWholeIsAKernelOfItsOwn) {
  // Each point of the image reads the whole sum. If the sum were computed inside the kernel of the
  // image, it would be computed again for each point.
  const Searched found = searched("input in 2048 2048\n"
                                  "func s() = \n"
                                  "update s() rx:0:2048 ry:0:2048 commutative = s() in(rx; ry)\n"
                                  "func f(x y) 2048 2048 = in(x; y) s()\n"
                                  "output f\n");
  expectSound(found);
  // At least the steps of the sum are in a kernel of their own. The points that read the sum may
  // add up its partial results.
  EXPECT_LT(found.best.seconds * 1e6, 60);
  EXPECT_GT(kernelsOf(found.best.schedule), 1u);
}

// What a search that goes on from a start makes of it.
Schedule wentOn(const std::string &pipeline, const std::string &start, PlacementSearch::Work work) {
  PlacementSearch search({.start = schedule::testing::scheduled(pipeline, start)}, work);
  while (search.step()) {
  }
  return search.best().schedule;
}

TEST(PlacementSearch, LongKernelsAreTiledAgainAfterLayoutsChanged) {
  const std::string copy = "input in 4096 4096\n"
                           "func g(x y) 4096 4096 = in(x; y)\n"
                           "output g\n";
  const std::string columns = "g split x xo xi 2 round_up | split y yo yi 16 round_up | "
                              "reorder yi xi xo yo | gpu_threads yi xi | gpu_blocks xo yo";
  const Schedule start = schedule::testing::scheduled(copy, columns);
  EXPECT_EQ(wentOn(copy, columns, PlacementSearch::Work::Polish), start);
  const Schedule found = wentOn(copy, columns, PlacementSearch::Work::Relaid);
  EXPECT_LT(cost::predict(found, {}).seconds, 0.5 * cost::predict(start, {}).seconds);
}

TEST(PlacementSearch, ASumIsSpreadOverTheMachine) {
  const Searched found = searched("input in 4096 4096\n"
                                  "func s() = \n"
                                  "update s() rx:0:4096 ry:0:4096 commutative = s() in(rx; ry)\n"
                                  "output s\n");
  expectSound(found);
  EXPECT_LT(found.best.seconds, 0.1 * found.startSeconds);
}

// --- any pipeline

struct Bounded {
  const char *name, *text;
};
void PrintTo(const Bounded &shaped, std::ostream *out) { *out << shaped.name; }

class AutoSearchOn : public ::testing::TestWithParam<Bounded> {};

TEST_P(AutoSearchOn, IsLegalAndNeverSlowerThanTheStart) {
  const Searched found = searched(GetParam().text);
  expectSound(found);
  EXPECT_GT(found.evaluations, 0u) << "it looked at something";
  EXPECT_EQ(found.progress.back(), 1);
}

constexpr auto kShapes = std::to_array<Bounded>({
    {"SeveralOutputs", "input in 512 512\n"
                       "func a(x y) 512 512 sine = in(x; y)\n"
                       "func b(x y) 510 512 = a(x+[0,2]; y)\n"
                       "func c(x y) 512 510 = a(x; y+[0,2])\n"
                       "output a\noutput b\noutput c\n"},
    {"OutputOfExtentOne", "input in 64 64\n"
                          "func a(x y) 64 64 = in(x; y)\n"
                          "func b(x y) 1 1 = a(x+[0,63]; y+[0,63])\n"
                          "output b\n"},
    {"RowOfExtentOne", "func a(x y) 1 4096 = \noutput a\n"},
    {"ScalarOutput", "func a(x) 64 = \nfunc b() = a(3) a(4)\noutput b\n"},
    {"ReductionToAScalar", "input in 512 512\n"
                           "func s() = \n"
                           "update s() rx:0:512 ry:0:512 commutative = s() in(rx; ry)\n"
                           "output s\n"},
    {"ReductionInOrder", "input in 512 512\n"
                         "func s() = \n"
                         "update s() rx:0:512 ry:0:512 = s() in(rx; ry)\n"
                         "output s\n"},
    {"Histogram", "input in 1024 1024\n"
                  "func h(i) 256 = \n"
                  "update h(?) rx:0:1024 ry:0:1024 commutative = h(?) in(rx; ry)\n"
                  "func c(i) 256 = h(i)\n"
                  "func f(x y) 1024 1024 = c(?) in(x; y)\n"
                  "output f\n"},
    {"Scan", "input in 512 512\n"
             "func s(x y) 512 512 = in(x; y)\n"
             "update s(x r) r:1:511 = s(x; r) s(x; r-1)\n"
             "func f(x y) 512 512 = s(x; y) s(y; x)\n"
             "output f\n"},
    {"Tuple", "input in 512 512\n"
              "func t(x y) 512 512 float32 uint8 = in(x; y)\n"
              "func f(x y) 510 512 float32 int16 = t(x+[0,2]; y)\n"
              "output f\n"},
    {"TupleThatIsReduced", "input in 512 512\n"
                           "func t() float32 uint8 = \n"
                           "update t() rx:0:512 ry:0:512 commutative = t() in(rx; ry)\n"
                           "output t\n"},
    {"OneDimension", "input in 100002\n"
                     "func a(x) 100002 sine = in(x)\n"
                     "func b(x) 100000 = a(x+[0,2])\n"
                     "output b\n"},
    {"ThreeDimensions", "input in 3 512 514\n"
                        "func a(c x y) 3 512 514 sine = in(c; x; y)\n"
                        "func b(c x y) 3 512 512 = a(c; x; y+[0,2])\n"
                        "output b\n"},
    {"FourDimensions", "input in 64 64 16 4\n"
                       "func a(x y c n) 64 64 16 4 sine = in(x; y; c; n)\n"
                       "func b(x y c n) 60 60 16 4 = a(x+[0,4]; y+[0,4]; c; n)\n"
                       "output b\n"},
    {"FiveDimensions", "input in 32 32 8 4 2\n"
                       "func a(x y c n t) 32 32 8 4 2 sine = in(x; y; c; n; t)\n"
                       "func b(x y c n t) 30 32 8 4 2 = a(x+[0,2]; y; c; n; t)\n"
                       "func d(x y c n t) 30 30 8 4 2 = b(x; y+[0,2]; c; n; t)\n"
                       "output d\n"},
    {"MatrixProduct", "input a 512 512\ninput b 512 512\n"
                      "func m(x y) 512 512 = \n"
                      "update m(x y) r:0:512 commutative = m(x; y) a(r; y) b(x; r)\n"
                      "func f(x y) 512 512 = m(x; y)\n"
                      "output f\n"},
    {"Transposed", "input in 1024 1024\n"
                   "func a(x y) 1024 1024 sine = in(x; y)\n"
                   "func b(x y) 1024 1024 = a(y; x) a(x; y)\n"
                   "output b\n"},
    {"Pyramid", "input in 1026 1026\n"
                "func a(x y) 1026 1026 sine = in(x; y)\n"
                "func b(x y) 512 512 = a(2*x+[0,1]; 2*y+[0,1])\n"
                "func c(x y) 256 256 = b(2*x+[0,1]; 2*y+[0,1])\n"
                "func d(x y) 512 512 = c(x/2; y/2) b(x; y)\n"
                "func e(x y) 1024 1024 = d(x/2; y/2) a(x; y)\n"
                "output e\n"},
    {"Bounded", "input in 512 512\n"
                "func a(x y) 512 512 bounded = in(x; y)\n"
                "func b(x y) 512 512 = a(x; y) a(?; y)\n"
                "output b fixed\n"},
});

INSTANTIATE_TEST_SUITE_P(Shapes, AutoSearchOn, ::testing::ValuesIn(kShapes),
                         [](const auto &bounds) { return std::string(bounds.param.name); });

TEST(PlacementSearch, RandomPipelinesAreLegalAndNeverSlower) {
  std::size_t faster = 0;
  constexpr std::uint64_t kSeeds = 40;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    schedule::testing::Random random(seed);
    const std::string text = schedule::testing::randomSketch(random, 2 + random() % 7);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Searched found = searched(text);
    expectSound(found);
    faster += found.best.seconds < found.startSeconds ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(faster, kSeeds * 3 / 4);
}

TEST(PlacementSearch, KeepsToALesserMachine) {
  // With little shared memory and few threads per block, fewer schedules are legal.
  Machine machine;
  machine.limits.threadsPerBlock = 256;
  machine.limits.sharedBytesPerBlock = 1024;
  const Schedule start = schedule::defaultSchedule(sketch(kStencils));
  const Searched found = searched({start, machine});
  expectSound(found, machine);
  EXPECT_LT(found.best.seconds, found.startSeconds);
}

// --- how a search proceeds

TEST(PlacementSearch, TheSameProblemGivesTheSameAnswer) {
  const Searched first = searched(kStencils), second = searched(kStencils);
  EXPECT_EQ(first.best.schedule, second.best.schedule);
  EXPECT_EQ(first.best.seconds, second.best.seconds);
  EXPECT_EQ(first.evaluations, second.evaluations);
  EXPECT_EQ(first.candidates.size(), second.candidates.size());
}

// Returns everything that a search reports, as text. The text must not depend on other searches.
std::string bytesOf(const Problem &problem) {
  const Searched found = searched(problem);
  std::string text = std::to_string(found.evaluations);
  for (const Candidate &candidate : found.candidates)
    text += "\n" + std::to_string(candidate.seconds * 1e9) +
            schedule::toJson(candidate.schedule).dump();
  return text;
}

TEST(PlacementSearch, SideBySideInThreadsGivesTheSameBytes) {
  const Problem problem{schedule::defaultSchedule(sketch(kStencils)), {}};
  const std::string alone = bytesOf(problem);
  std::array<std::string, 3> together;
  {
    std::array<std::jthread, together.size()> threads;
    for (std::size_t t = 0; t < threads.size(); ++t)
      threads[t] = std::jthread([&, t] { together[t] = bytesOf(problem); });
  }
  for (const std::string &one : together)
    EXPECT_EQ(one, alone);
}

TEST(PlacementSearch, CandidatesFallToTheBest) {
  const Searched found = searched(kStencils);
  ASSERT_GE(found.candidates.size(), 2u);
  EXPECT_LT(found.candidates.front().seconds, found.startSeconds);
  for (std::size_t c = 1; c < found.candidates.size(); ++c)
    EXPECT_LT(found.candidates[c].seconds, found.candidates[c - 1].seconds);
  for (const Candidate &candidate : found.candidates) {
    EXPECT_TRUE(schedule::isLegal(candidate.schedule, {}));
    EXPECT_DOUBLE_EQ(candidate.seconds, cost::predict(candidate.schedule, {}).seconds);
  }
  EXPECT_EQ(found.candidates.back().schedule, found.best.schedule);
  EXPECT_EQ(found.candidates.back().seconds, found.best.seconds);
}

TEST(PlacementSearch, CandidatesAreTakenOnce) {
  PlacementSearch search({schedule::defaultSchedule(sketch(kStencils)), {}});
  while (search.step()) {
  }
  EXPECT_FALSE(search.takeCandidates().empty());
  EXPECT_TRUE(search.takeCandidates().empty());
}

TEST(PlacementSearch, PhasesFollowEachOther) {
  EXPECT_EQ(searched(kStencils).phases,
            (std::vector<std::string_view>{"first tiles", "grouping", "refining", "tiles",
                                           "registers", "copies", "polishing", "done"}));
}

TEST(PlacementSearch, CopiesAreMadeOfWhatIsReadAgain) {
  const std::string readAgain = "input in 2052 2052\n"
                                "func a(x y) 2048 2048 = in(x; y) in(x+1; y) in(x+2; y) "
                                "in(x; y+1) in(x+1; y+1) in(x+2; y+1)\n"
                                "output a\n";
  EXPECT_EQ(searched(readAgain).phases,
            (std::vector<std::string_view>{"first tiles", "grouping", "tiles", "registers",
                                           "copies", "polishing", "done"}));
}

TEST(PlacementSearch, ProgressRisesToOne) {
  const std::vector<double> progress = searched(kStencils).progress;
  EXPECT_TRUE(std::ranges::is_sorted(progress));
  EXPECT_GE(progress.front(), 0);
  EXPECT_GE(std::set(progress.begin(), progress.end()).size(), 10u) << "it says so in steps";
  EXPECT_EQ(progress.back(), 1);
}

TEST(PlacementSearch, NothingChangesWhenItIsDone) {
  PlacementSearch search({schedule::defaultSchedule(sketch(kStencils)), {}});
  while (search.step()) {
  }
  const std::size_t evaluations = search.evaluations();
  EXPECT_FALSE(search.step());
  EXPECT_EQ(search.evaluations(), evaluations);
  EXPECT_EQ(search.progress(), 1);
}

TEST(PlacementSearch, ABudgetIsKeptToWithinAStep) {
  const Schedule start = schedule::defaultSchedule(sketch(kStencils));
  const Searched unlimited = searched({start, {}});
  for (const std::size_t budget : {1u, 10u, 60u, 200u, 500u}) {
    ASSERT_LT(budget, unlimited.evaluations);
    Problem problem{start, {}};
    problem.evaluations = budget;
    const Searched found = searched(problem);
    EXPECT_LT(found.evaluations, budget + unlimited.mostInAStep) << budget;
    expectSound(found);
    EXPECT_EQ(found.progress.back(), 1) << budget;
    EXPECT_EQ(found.phases.back(), "done") << budget;
  }
}

TEST(PlacementSearch, WhatWasFoundBeforeTheBudgetEndedIsTheBest) {
  // The pipeline has only one func, so the first step finds better tiles, and the second step
  // exceeds the budget.
  Problem problem{
      schedule::defaultSchedule(sketch("input in 4096 4096\n"
                                       "func f(x y) 4096 4096 = in(x; y+[0,7])\noutput f\n")),
      {}};
  const Searched unlimited = searched(problem);
  ASSERT_LT(unlimited.best.seconds, unlimited.startSeconds);
  problem.evaluations = 2;
  const Searched found = searched(problem);
  EXPECT_LT(found.best.seconds, found.startSeconds);
  ASSERT_FALSE(found.candidates.empty());
  EXPECT_EQ(found.candidates.back().seconds, found.best.seconds);
}

TEST(PlacementSearch, ALargerBudgetIsNeverWorse) {
  const Schedule start = schedule::defaultSchedule(sketch(kStencils));
  double before = std::numeric_limits<double>::infinity();
  for (const std::size_t budget : {1u, 50u, 100u, 200u, 400u, 800u, 1600u}) {
    Problem problem{start, {}};
    problem.evaluations = budget;
    const double seconds = searched(problem).best.seconds;
    EXPECT_LE(seconds, before) << budget;
    before = seconds;
  }
}

} // namespace
} // namespace tessera::search
