// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/dp_fusion_search.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/algorithms.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/dp_fusion/fused_blur.h"
#include "tests/engine/search/freezes.h"

#include <gmock/gmock.h>

#include <string>

namespace tessera::search {
namespace {

using pipeline::test::sketch;
using schedule::Depth;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::planOf;
using schedule::testing::stageOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct Ended {
  Candidate best;
  std::size_t evaluations = 0, candidates = 0;
  std::vector<std::string> remarks;
};

Ended run(const Problem &problem) {
  DpFusionSearch search(problem);
  double progress = 0;
  for (bool more = true; more;) {
    more = search.step();
    EXPECT_LE(search.progress(), 1);
    progress = search.progress();
  }
  EXPECT_EQ(progress, 1);
  EXPECT_EQ(search.phase(), "done");
  const Ended ended{search.best(), search.evaluations(), search.takeCandidates().size(),
                    search.remarks()};
  EXPECT_TRUE(schedule::isLegal(ended.best.schedule, problem.machine));
  EXPECT_EQ(ended.best.seconds, cost::predict(ended.best.schedule, problem.machine).seconds);
  return ended;
}

Ended run(std::string_view text, const ParameterValues &parameters = {}) {
  Problem problem{schedule::defaultSchedule(sketch(text)), {}};
  problem.parameters = parameters;
  return run(problem);
}

Depth depthOf(const Schedule &schedule, std::string_view func) {
  return schedule::Bounds(schedule).of(funcOf(schedule, func)).depth;
}

// Three stencils, and a copy that is part of the first.
constexpr std::string_view kChain = R"(
  input in 1028 1032
  func copy(x y) 1028 1032 = in(x; y)
  func a(x y) 1028 1032 = copy(x; y)
  func b(x y) 1028 1030 = a(x; y) a(x; y+1) a(x; y+2)
  func c(x y) 1028 1028 = b(x; y) b(x; y+1) b(x; y+2)
  func d(x y) 1024 1028 = c(x; y) c(x+1; y) c(x+4; y)
  output d
)";

// Each stage alone loads three values a point, and all together what the first loads.
TEST(DpFusionSearch, FusesStencils) {
  const Ended ended = run(kChain);
  const Schedule &best = ended.best.schedule;
  EXPECT_EQ(ended.candidates, 1U);
  for (const char *func : {"a", "b", "c"})
    EXPECT_EQ(depthOf(best, func), Depth::Block) << func;
  EXPECT_EQ(planOf(best, "b").compute, planOf(best, "c").compute);
  EXPECT_TRUE(planOf(best, "copy").isInline());
}

// Overlap that costs much is a reason not to fuse; so are few registers.
TEST(DpFusionSearch, FollowsItsParameters) {
  const auto kernels = [](const ParameterValues &parameters) {
    const Schedule best = run(kChain, parameters).best.schedule;
    return cost::predict(best, {}).kernels.size();
  };
  EXPECT_EQ(kernels({}), 1U);
  EXPECT_EQ(kernels({{"W6", 1e6}}), 4U);
  EXPECT_EQ(kernels({{"MAX_REG_PER_TH", 20}}), 4U);
  EXPECT_EQ(kernels({{"MAX_GROUPS", 0}}), 4U);
}

TEST(DpFusionSearch, SaysWhatIsModelledAndBounded) {
  EXPECT_THAT(run(kChain).remarks, Contains(HasSubstr("are modelled by Tessera")));
  EXPECT_THAT(run(kChain).remarks, Not(Contains(HasSubstr("MAX_GROUPS"))));
  EXPECT_THAT(run(kChain, {{"MAX_GROUPS", 3}}).remarks,
              Contains("not all groups of more than 2 funcs were tried; MAX_GROUPS is 3"));
}

// All tile sizes for each group, or powers of two until the groups are chosen: the same groups.
TEST(DpFusionSearch, MayTryAllTilesForAllGroups) {
  EXPECT_EQ(run(kChain, {{"ALL_TILES", 0}}).best.schedule, run(kChain).best.schedule);
}

TEST(DpFusionSearch, GivesTheSameForTheSame) {
  const Ended first = run(kChain), again = run(kChain);
  EXPECT_EQ(first.best.schedule, again.best.schedule);
  EXPECT_EQ(first.evaluations, again.evaluations);
}

class DpFusionPipelines : public ::testing::TestWithParam<std::string> {};

// Every pipeline ends with a legal schedule, which run() checks.
TEST_P(DpFusionPipelines, GetLegalSchedules) {
  EXPECT_EQ(run(GetParam()).candidates, 1U);
  machine::Machine openCl;
  openCl.api = machine::Api::OpenCl;
  openCl.limits.threadsPerBlock = 256;
  openCl.limits.blockDims = {256, 256, 256};
  openCl.limits.vectorsTakenApart = false;
  run({schedule::defaultSchedule(sketch(GetParam())), openCl});
}

INSTANTIATE_TEST_SUITE_P(All, DpFusionPipelines,
                         ::testing::Values(
                             // Two outputs. The second reads the first.
                             R"(
    input in 514 514
    func blur(x y) 514 512 = in(x; y) in(x; y+1) in(x; y+2)
    func first(x y) 512 512 = blur(x; y) blur(x+1; y) blur(x+2; y)
    func second(x y) 512 510 = first(x; y) first(x; y+2) blur(x; y)
    output first
    output second
  )",
                             // A pyramid: stages of half the size between others.
                             R"(
    input in 1030 1030
    func fine(x y) 1028 1028 = in(x; y) in(x+1; y+1)
    func down(x y) 513 513 = fine(2*x; 2*y) fine(2*x+1; 2*y+1)
    func up(x y) 1024 1024 = down(x/2; y/2) down(x/2+1; y/2)
    output up
  )",
                             // A histogram: a reduction over data-dependent places.
                             R"(
    input in 640 480
    func hist(i) 256 uint32 = 
    update hist(?) rx:0:640 ry:0:480 = hist(?) in(rx; ry)
    func out(x y) 640 480 = hist(?) in(x; y)
    output out
  )",
                             // A scan, of a func that the algorithm bounds.
                             R"(
    input in 1024 512
    func scan(x y) 1024 512 bounded = in(x; y)
    update scan(r y) r:1:1023 = scan(r+-1; y) in(r; y)
    func out(x y) 1024 512 = scan(x; y) scan(x; y)
    output out
  )",
                             // An extern stage, which reads one func and is read by another.
                             R"(
    input in 640 480
    func before(x y) 640 480 = in(x; y) in(x; y)
    func outside(x y) 640 480 extern = before([0,639]; [0,479])
    func between(x y) 640 480 = outside(x; y) outside(x; y)
    func after(x y) 640 478 = between(x; y) between(x; y+2)
    output after
  )",
                             // Four dimensions, of which a block has three.
                             R"(
    input in 130 130 16 8
    func a(x y z t) 128 130 16 8 = in(x; y; z; t) in(x+1; y; z; t)
    func b(x y z t) 128 128 16 8 = a(x; y; z; t) a(x; y+2; z; t)
    output b
  )",
                             // An output that is too small for a GPU, and a scalar.
                             R"(
    input in 16 12 3
    func total() = 
    update total() rx:0:16 ry:0:12 = total() in(rx; ry; 0)
    func out(x y c) 14 12 3 = in(x; y; c) in(x+2; y; c) total()
    output out
  )"));

// One frozen decision keeps its func apart, and the rest is fused.
TEST(DpFusionSearch, FusesAroundAFrozenFunc) {
  Schedule start = schedule::defaultSchedule(sketch(kChain));
  testing::freeze(start, "b", schedule::DecisionKind::Compute);
  const Schedule best = run({start, {}}).best.schedule;
  EXPECT_TRUE(planOf(best, "b").isRoot());
  EXPECT_TRUE(planOf(best, "a").isRoot()); // its only reader is a kernel of its own
  EXPECT_EQ(depthOf(best, "c"), Depth::Block);
  EXPECT_TRUE(testing::changedFrozen(start, best).empty());
}

// A kernel of several funcs with something frozen stays as it is.
TEST(DpFusionSearch, KeepsAKernelOfSeveralFuncs) {
  Schedule start = run(kChain).best.schedule;
  testing::freeze(start, "b", schedule::DecisionKind::Compute);
  EXPECT_EQ(run({start, {}}).best.schedule, start);
}

TEST(DpFusionSearch, StaysWithinItsEvaluations) {
  const Schedule start = schedule::defaultSchedule(sketch(kChain));
  const double before = cost::predict(start, {}).seconds;
  for (const std::size_t most : {std::size_t{0}, std::size_t{2}, std::size_t{9}}) {
    const Ended ended = run({start, {}, 0, most});
    EXPECT_EQ(ended.evaluations, most);    // the whole search needs more
    EXPECT_LE(ended.best.seconds, before); // an unfinished search is never worse than its start
  }
}

TEST(DpFusionSearch, IsToBeHadByName) {
  EXPECT_TRUE(makeSearch("dp-fusion", {testing::fusedBlur(), {}, 0}));
}

} // namespace
} // namespace tessera::search
