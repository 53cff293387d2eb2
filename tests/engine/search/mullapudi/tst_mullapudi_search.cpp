// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/mullapudi_search.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/algorithms.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/freezes.h"
#include "tests/engine/search/mullapudi/paper_pipelines.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <tuple>

namespace tessera::search {
namespace {

using pipeline::test::sketch;
using schedule::Depth;
using schedule::LoopKind;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::planOf;
using schedule::testing::stageOf;
using ::testing::Contains;
using ::testing::HasSubstr;

struct Ended {
  Candidate best;
  std::size_t evaluations = 0, candidates = 0;
  std::vector<std::string> remarks;
};

Ended runOf(Problem problem, MullapudiKind kind) {
  MullapudiSearch search(problem, kind);
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

Ended run(const pipeline::PipelinePtr &pipeline, MullapudiKind kind = MullapudiKind::Mullapudi,
          const ParameterValues &parameters = {}) {
  Problem problem{schedule::defaultSchedule(pipeline), {}};
  problem.parameters = parameters;
  return runOf(std::move(problem), kind);
}

Depth depthOf(const Schedule &schedule, std::string_view func) {
  return schedule::Bounds(schedule).of(funcOf(schedule, func)).depth;
}

// Figure 4 of the paper: A is computed in the tiles of B; C and D in those of E. B is read by two
// groups, and stays apart. All are vertical stencils, with too much work to be inlined.
constexpr std::string_view kFigure4 = R"(
  input in 1024 1036
  func a(x y) 1024 1030 sine = in(x; y) in(x; y+1) in(x; y+2) in(x; y+3) in(x; y+4)
  func b(x y) 1024 1028 sine = a(x; y) a(x; y+1) a(x; y+2)
  func c(x y) 1024 1026 sine = b(x; y) b(x; y+1) b(x; y+2)
  func d(x y) 1024 1026 sine = b(x; y) b(x; y+1) b(x; y+2)
  func e(x y) 1024 1024 = c(x; y) c(x; y+1) c(x; y+2) d(x; y) d(x; y+1) d(x; y+2)
  output e
)";

// As in the figure, b does not fit beside c and d. Blocks of half as many threads would have room.
TEST(MullapudiSearch, GroupsFigure4) {
  const Schedule best = run(sketch(kFigure4), MullapudiKind::Mullapudi,
                            {{"CACHE_SIZE", 5000}, {"TARGET_THREADS_PER_BLOCK", 512}})
                            .best.schedule;
  EXPECT_EQ(planOf(best, "a").compute.stage, stageOf(best, "b"));
  EXPECT_EQ(planOf(best, "c").compute.stage, stageOf(best, "e"));
  EXPECT_EQ(planOf(best, "d").compute, planOf(best, "c").compute);
  EXPECT_TRUE(planOf(best, "b").isRoot());
  EXPECT_EQ(depthOf(best, "a"), Depth::Block);
}

TEST(MullapudiSearch, MergesTheBlur) {
  const Schedule best = run(testing::paperBlur()).best.schedule;
  EXPECT_EQ(depthOf(best, "blurx"), Depth::Block);
  // Rows of out share what they need, so that the tile is long in y (figure 5).
  const schedule::LoopNest &nest = planOf(best, "out").stages.front().nest;
  ASSERT_EQ(nest.axes.size(), 2U);
  EXPECT_EQ(nest.axes[0].splits.front().factor, 32);
  EXPECT_GE(nest.axes[1].splits.front().factor, 8);
}

// Loads that cost nothing are no reason to compute anything again.
TEST(MullapudiSearch, FollowsItsParameters) {
  const Schedule best =
      run(testing::paperBlur(), MullapudiKind::Mullapudi, {{"LOAD_COST", 0}}).best.schedule;
  EXPECT_TRUE(planOf(best, "blurx").isRoot());
}

TEST(MullapudiSearch, TilesAMatrixProduct) {
  const Schedule best = run(sketch(R"(
    input a 2048 2048
    input b 2048 2048
    func c(x y) 2048 2048 = 
    update c(x y) r:0:2048 = c(x; y) a(r; y) b(x; r)
    output c
  )"))
                            .best.schedule;
  const schedule::LoopNest &nest = best.plan(stageOf(best, "c.update(0)")).nest;
  EXPECT_EQ(nest.loops.size(), 6U); // two loops each of blocks, threads and the reduction
  for (const schedule::Axis &axis : nest.axes)
    EXPECT_EQ(axis.splits.front().factor, 32);
}

// The baseline "never groups functions or reorders loops: it only inlines functions (when inlining
// introduces no redundant computation)".
TEST(MullapudiSearch, TheBaselineGroupsNothing) {
  const auto pipeline = sketch(R"(
    input in 644 480
    func point(x y) 644 480 = in(x; y)
    func a(x y) 644 480 = point(x; y)
    func b(x y) 640 480 = a(x; y) a(x+4; y)
    output b
  )");
  const Schedule best = run(pipeline, MullapudiKind::Baseline).best.schedule;
  EXPECT_TRUE(planOf(best, "point").isInline());
  EXPECT_TRUE(planOf(best, "a").isRoot());
  EXPECT_TRUE(planOf(best, "b").isRoot());
  // The whole algorithm inlines it too: two operations and two loads cost less than two kernels.
  EXPECT_TRUE(planOf(run(pipeline).best.schedule, "a").isInline());
}

TEST(MullapudiSearch, PolymageHasOneTile) {
  const ParameterValues tile{{"TILE_X", 64}, {"TILE_Y", 4}};
  const Schedule best = run(sketch(kFigure4), MullapudiKind::PolymageLike, tile).best.schedule;
  EXPECT_EQ(depthOf(best, "a"), Depth::Block);
  for (const char *func : {"b", "e"}) {
    const schedule::LoopNest &nest = planOf(best, func).stages.front().nest;
    EXPECT_EQ(nest.axes[0].splits.front().factor, 64) << func;
    EXPECT_EQ(nest.axes[1].splits.front().factor, 4) << func;
  }
}

// "Functions with dependence patterns that cannot be analyzed by PolyMage are scheduled using the
// baseline scheduler": a func that a reduction reads is inlined by the whole algorithm alone.
TEST(MullapudiSearch, PolymageLeavesReductionsToTheBaseline) {
  const auto pipeline = sketch(R"(
    input in 640 480
    func a(x y) 640 480 = in(x; y)
    func sum(x y) 636 480 = 
    update sum(x y) r:0:4 = sum(x; y) a(x+r; y)
    output sum
  )");
  EXPECT_TRUE(planOf(run(pipeline).best.schedule, "a").isInline());
  EXPECT_TRUE(planOf(run(pipeline, MullapudiKind::PolymageLike).best.schedule, "a").isRoot());
}

// The machine has fewer threads than the paper's MAX_THREADS_PER_BLOCK, and the user is told.
TEST(MullapudiSearch, TellsWhatItChanged) {
  EXPECT_THAT(run(testing::paperBlur()).remarks, Contains(HasSubstr("MAX_THREADS_PER_BLOCK")));
}

class MullapudiPipelines : public ::testing::TestWithParam<std::tuple<std::string, MullapudiKind>> {
};

// Every pipeline ends with a legal schedule, which run() checks.
TEST_P(MullapudiPipelines, GetLegalSchedules) {
  const auto &[text, kind] = GetParam();
  EXPECT_EQ(run(sketch(text), kind).candidates, 1U);
  machine::Machine openCl;
  openCl.api = machine::Api::OpenCl;
  openCl.limits.threadsPerBlock = 256;
  openCl.limits.blockDims = {256, 256, 256};
  openCl.limits.vectorsTakenApart = false;
  runOf({schedule::defaultSchedule(sketch(text)), openCl}, kind);
}

INSTANTIATE_TEST_SUITE_P(
    All, MullapudiPipelines,
    ::testing::Combine(::testing::Values(
                           // Two outputs. The second reads the first.
                           R"(
              input in 514 514
              func blur(x y) 514 512 = in(x; y) in(x; y+1) in(x; y+2)
              func first(x y) 512 512 = blur(x; y) blur(x+1; y) blur(x+2; y)
              func second(x y) 512 510 = first(x; y) first(x; y+2) blur(x; y)
              output first
              output second
            )",
                           // Three updates of one func: the paper allows one.
                           R"(
              input a 512 512
              input b 512 512
              func sum(x y) 512 512 = 
              update sum(x y) r:0:512 = sum(x; y) a(r; y) b(x; r)
              update sum(x y) = sum(x; y) a(x; y)
              update sum(x y) q:0:100 = sum(x; y) b(q; y)
              func out(x y) 512 512 = sum(x; y)
              output out
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
                           // A convolution with two reductions, whose order may not change.
                           R"(
              input in 130 130 64
              input weights 64 3 3 64
              func conv(x y k) 128 128 64 = 
              update conv(x y k) c:0:64 rx:0:3 ry:0:3 = conv(x; y; k) in(x+rx; y+ry; c) weights(c; rx; ry; k)
              func relu(x y k) 128 128 64 = conv(x; y; k)
              output relu
            )",
                           // An output that is too small for a GPU, and a scalar.
                           R"(
              input in 16 12 3
              func total() = 
              update total() rx:0:16 ry:0:12 = total() in(rx; ry; 0)
              func out(x y c) 14 12 3 = in(x; y; c) in(x+2; y; c) total()
              output out
            )"),
                       ::testing::Values(MullapudiKind::Mullapudi, MullapudiKind::Baseline,
                                         MullapudiKind::PolymageLike)));

TEST(MullapudiSearch, GivesTheSameForTheSame) {
  const Ended first = run(sketch(kFigure4)), again = run(sketch(kFigure4));
  EXPECT_EQ(first.best.schedule, again.best.schedule);
  EXPECT_EQ(first.evaluations, again.evaluations);
}

// One frozen decision of a kernel is kept, and the rest of that kernel is scheduled.
TEST(MullapudiSearch, KeepsADecisionAndSchedulesAroundIt) {
  Schedule start = run(sketch(kFigure4), MullapudiKind::Baseline).best.schedule;
  const schedule::DecisionKey place{funcOf(start, "a"), 0, schedule::DecisionKind::Compute, 0};
  start.setMark(place, {schedule::Origin::User, true});
  const Schedule best = runOf({start, {}}, MullapudiKind::Mullapudi).best.schedule;
  EXPECT_TRUE(planOf(best, "a").isRoot());
  EXPECT_EQ(depthOf(best, "c"), Depth::Block);
  EXPECT_EQ(depthOf(best, "d"), Depth::Block);
  EXPECT_TRUE(testing::changedFrozen(start, best).empty());
}

TEST(MullapudiSearch, KeepsFrozenFactors) {
  Schedule start = run(testing::paperBlur(), MullapudiKind::Baseline).best.schedule;
  testing::freeze(start, "out", schedule::DecisionKind::Factors);
  const Schedule best = runOf({start, {}}, MullapudiKind::Mullapudi).best.schedule;
  EXPECT_EQ(planOf(best, "out").stages.front().nest.axes,
            planOf(start, "out").stages.front().nest.axes);
  EXPECT_TRUE(testing::changedFrozen(start, best).empty());
}

// A kernel of several funcs with something frozen stays as it is.
TEST(MullapudiSearch, KeepsAKernelOfSeveralFuncs) {
  Schedule start = run(testing::paperBlur()).best.schedule;
  testing::freeze(start, "blurx", schedule::DecisionKind::Compute);
  const Schedule best = runOf({start, {}}, MullapudiKind::Mullapudi).best.schedule;
  EXPECT_EQ(best, start);
}

// What such a kernel computes in its expressions stays there: a func that is computed inside of the
// kernel would else be read outside of it.
TEST(MullapudiSearch, KeepsWhatSuchAKernelInlines) {
  const auto pipeline = sketch(R"(
    input in 1024 1028
    func a(x y) 1024 1026 sine = in(x; y) in(x; y+1) in(x; y+2)
    func middle(x y) 1024 1024 = a(x; y) a(x; y+1) a(x; y+2)
    func out(x y) 1024 1024 = middle(x; y)
    output out
  )");
  Schedule start = run(pipeline).best.schedule;
  ASSERT_TRUE(planOf(start, "middle").isInline());
  ASSERT_EQ(planOf(start, "a").compute.stage, stageOf(start, "out"));
  testing::freeze(start, "a", schedule::DecisionKind::Compute);
  EXPECT_EQ(runOf({start, {}}, MullapudiKind::Mullapudi).best.schedule, start);
}

TEST(MullapudiSearch, StaysWithinItsEvaluations) {
  const Schedule start = schedule::defaultSchedule(sketch(kFigure4));
  const double before = cost::predict(start, {}).seconds;
  for (const std::size_t most : {std::size_t{0}, std::size_t{5}, std::size_t{40}}) {
    const Ended ended = runOf({start, {}, 0, most}, MullapudiKind::Mullapudi);
    EXPECT_EQ(ended.evaluations, most);    // the whole search needs more
    EXPECT_LE(ended.best.seconds, before); // an unfinished search is never worse than its start
  }
}

TEST(MullapudiSearch, IsToBeHadByName) {
  for (const char *name : {"mullapudi", "mullapudi-baseline", "polymage-like"})
    EXPECT_TRUE(makeSearch(name, {schedule::defaultSchedule(testing::paperBlur()), {}, 0}));
}

} // namespace
} // namespace tessera::search
