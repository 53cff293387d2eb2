// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_search.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/algorithms.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::StageId;
using pipeline::test::sketch;
using schedule::Depth;
using schedule::FuncPlan;
using schedule::LoopKind;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::planOf;
using schedule::testing::stageOf;

struct Ended {
  Candidate best;
  std::size_t evaluations = 0, candidates = 0, steps = 0;
};

Ended runFrom(const Schedule &start, AutoGpuFusion fusion, const machine::Machine &machine = {},
              std::size_t evaluations = SIZE_MAX) {
  AutoGpuSearch search({start, machine, 0, evaluations}, fusion);
  Ended ended{search.best()};
  double progress = 0;
  for (bool more = true; more;) {
    more = search.step();
    ++ended.steps;
    EXPECT_LE(search.progress(), 1);
    progress = search.progress();
  }
  EXPECT_EQ(progress, 1);
  EXPECT_EQ(search.phase(), "done");
  ended.best = search.best();
  ended.evaluations = search.evaluations();
  ended.candidates = search.takeCandidates().size();
  EXPECT_TRUE(schedule::isLegal(ended.best.schedule, machine));
  EXPECT_EQ(ended.best.seconds, cost::predict(ended.best.schedule, machine).seconds);
  return ended;
}

Ended run(std::string_view text, AutoGpuFusion fusion = AutoGpuFusion::Nested,
          const machine::Machine &machine = {}) {
  const Ended ended = runFrom(schedule::defaultSchedule(sketch(text)), fusion, machine);
  EXPECT_EQ(ended.candidates, 1U);
  return ended;
}

Depth depthOf(const Schedule &schedule, std::string_view func) {
  return schedule::Bounds(schedule).of(funcOf(schedule, func)).depth;
}

constexpr std::string_view kPointwise = R"(
  input in 1536 2560
  func bright(x y) 1536 2560 = in(x; y)
  func curve(x y) 1536 2560 = bright(x; y) bright(x; y)
  func out(x y) 1536 2560 = curve(x; y)
  output out
)";

// Two stencils. Each loads more than storing it would cost, so nothing is inlined.
constexpr std::string_view kStencils = R"(
  input in 1544 2568
  func blur(x y) 1540 2564 = in(x+0; y+0) in(x+1; y+0) in(x+2; y+0) in(x+0; y+1) in(x+1; y+1) in(x+2; y+1) in(x+0; y+2) in(x+1; y+2) in(x+2; y+2)
  func out(x y) 1536 2560 = blur(x+0; y+0) blur(x+1; y+0) blur(x+2; y+0) blur(x+0; y+1) blur(x+1; y+1) blur(x+2; y+1) blur(x+0; y+2) blur(x+1; y+2) blur(x+2; y+2)
  output out
)";

// K, W and Z of figure 4 of the paper, with more work so that K is not inlined.
constexpr std::string_view kFigure4 = R"(
  input e 1540 2568
  func k(x y c) 1536 2564 3 = e(x+0; y) e(x+1; y) e(x+2; y) e(x+3; y)
  func w(x y) 1536 2564 = k(x; y; 0) k(x; y; 0) k(x; y; 1) k(x; y; 1) k(x; y; 2) k(x; y; 2)
  func z(x y) 1536 2560 = w(x; y) w(x; y+1) w(x; y+2) w(x; y+3) w(x; y+4)
  output z
)";

TEST(AutoGpuSearch, InlinesAChainOfPoints) {
  const Schedule best = run(kPointwise).best.schedule;
  EXPECT_TRUE(planOf(best, "bright").isInline());
  EXPECT_TRUE(planOf(best, "curve").isInline());
  EXPECT_TRUE(planOf(best, "out").isRoot());
}

TEST(AutoGpuSearch, FusesStencilsByOverlappedTiles) {
  const Schedule best = run(kStencils, AutoGpuFusion::Overlap).best.schedule;
  EXPECT_EQ(planOf(best, "blur").compute.kind, schedule::Place::Kind::At);
  EXPECT_EQ(depthOf(best, "blur"), Depth::Block);
  // Each thread computes one point, also of a fused func.
  const schedule::LoopNest &nest = planOf(best, "blur").stages.front().nest;
  EXPECT_EQ(std::ranges::count(nest.loops, LoopKind::Thread, &schedule::Loop::kind), 2);
}

TEST(AutoGpuSearch, FusesNothingWithoutFusion) {
  const Schedule best = run(kStencils, AutoGpuFusion::None).best.schedule;
  EXPECT_TRUE(planOf(best, "blur").isRoot());
  EXPECT_TRUE(planOf(best, "out").isRoot());
}

// Line 36 of listing 1, for the final tiles: a block has whole warps. The sides of the block are
// the largest ones among all members.
TEST(AutoGpuSearch, AsksForWholeWarpsInTheEnd) {
  const Schedule best = run(kStencils, AutoGpuFusion::Overlap).best.schedule;
  const schedule::Bounds bounds(best);
  std::array<std::int64_t, 2> block{1, 1};
  for (const char *func : {"blur", "out"}) {
    const StageId id = stageOf(best, func);
    std::size_t side = 0;
    const schedule::LoopNest &nest = best.plan(id).nest;
    for (std::size_t l = 0; l < nest.loops.size(); ++l)
      if (nest.loops[l].kind == LoopKind::Thread) {
        block[side] = std::max(block[side], bounds.of(id).loops[l]);
        ++side;
      }
    ASSERT_EQ(side, 2U);
  }
  EXPECT_EQ(block[0] * block[1] % 32, 0) << block[0] << " " << block[1];
}

TEST(AutoGpuSearch, NestsWhatHasNoOverlap) {
  const Schedule overlapped = run(kFigure4, AutoGpuFusion::Overlap).best.schedule;
  EXPECT_EQ(depthOf(overlapped, "k"), Depth::Block);
  EXPECT_EQ(depthOf(overlapped, "w"), Depth::Block);
  // As in figure 4: k goes into the threads of w. z reads w with overlap, so w stays in the block.
  const Schedule nested = run(kFigure4, AutoGpuFusion::NestedAll).best.schedule;
  EXPECT_EQ(depthOf(nested, "k"), Depth::Thread);
  EXPECT_EQ(planOf(nested, "k").compute.stage, stageOf(nested, "w"));
  EXPECT_EQ(depthOf(nested, "w"), Depth::Block);
}

// Every pipeline ends with a legal schedule, which run() checks.
class AutoGpuPipelines : public testing::TestWithParam<std::tuple<std::string, AutoGpuFusion>> {};

TEST_P(AutoGpuPipelines, GetLegalSchedules) {
  const auto &[text, fusion] = GetParam();
  run(text, fusion);
  machine::Machine openCl;
  openCl.api = machine::Api::OpenCl;
  openCl.limits.threadsPerBlock = 256;
  openCl.limits.blockDims = {256, 256, 256};
  openCl.limits.vectorsTakenApart = false;
  run(text, fusion, openCl);
}

INSTANTIATE_TEST_SUITE_P(
    All, AutoGpuPipelines,
    testing::Combine(testing::Values(
                         // Two outputs. The second reads the first.
                         R"(
              input in 514 514
              func blur(x y) 514 512 = in(x; y) in(x; y+1) in(x; y+2)
              func first(x y) 512 512 = blur(x; y) blur(x+1; y) blur(x+2; y)
              func second(x y) 512 510 = first(x; y) first(x; y+2) blur(x; y)
              output first
              output second
            )",
                         // A matrix product, which is a reduction.
                         R"(
              input a 512 512
              input b 512 512
              func sum(x y) 512 512 = 
              update sum(x y) r:0:512 = sum(x; y) a(r; y) b(x; r)
              func out(x y) 512 512 = sum(x; y)
              output out
            )",
                         // A histogram: a reduction over data-dependent places, without a pure loop
                         // to parallelise.
                         R"(
              input in 640 480
              func hist(i) 256 uint32 = 
              update hist(?) rx:0:640 ry:0:480 = hist(?) in(rx; ry)
              func out(x y) 640 480 = hist(?) in(x; y)
              output out
            )",
                         // A scan, from left to right.
                         R"(
              input in 1024 512
              func scan(x y) 1024 512 = in(x; y)
              update scan(r y) r:1:1023 = scan(r+-1; y) in(r; y)
              func out(x y) 1024 512 = scan(x; y) scan(x; y)
              output out
            )",
                         // An output that is too small for a GPU, and a scalar.
                         R"(
              input in 16 12 3
              func total() = 
              update total() rx:0:16 ry:0:12 = total() in(rx; ry; 0)
              func out(x y c) 14 12 3 = in(x; y; c) in(x+2; y; c) total()
              output out
            )"),
                     testing::Values(AutoGpuFusion::None, AutoGpuFusion::Overlap,
                                     AutoGpuFusion::Nested, AutoGpuFusion::NestedAll)));

TEST(AutoGpuSearch, GivesTheSameForTheSame) {
  const Ended first = run(kStencils), again = run(kStencils);
  EXPECT_EQ(first.best.schedule, again.best.schedule);
  EXPECT_EQ(first.evaluations, again.evaluations);
  EXPECT_EQ(first.steps, again.steps);
}

TEST(AutoGpuSearch, KeepsFrozenKernels) {
  Schedule start = schedule::defaultSchedule(sketch(kStencils));
  start.setMark({funcOf(start, "blur"), 0, schedule::DecisionKind::Factors, 0},
                {schedule::Origin::User, true});
  const Ended ended = runFrom(start, AutoGpuFusion::NestedAll);
  EXPECT_EQ(planOf(ended.best.schedule, "blur"), planOf(start, "blur"));
  EXPECT_NE(planOf(ended.best.schedule, "out"), planOf(start, "out"));
}

TEST(AutoGpuSearch, StaysWithinItsEvaluations) {
  const Schedule start = schedule::defaultSchedule(sketch(kStencils));
  const double before = cost::predict(start, {}).seconds;
  for (const std::size_t most : {std::size_t{0}, std::size_t{5}, std::size_t{100}}) {
    const Ended ended = runFrom(start, AutoGpuFusion::Nested, {}, most);
    EXPECT_LE(ended.evaluations, most);
    EXPECT_LE(ended.best.seconds, before); // an unfinished search is never worse than its start
  }
}

TEST(AutoGpuSearch, IsToBeHadByName) {
  for (const char *name : {"autogpu", "autogpu-overlap", "autogpu-nofusion", "autogpu-nested-all"})
    EXPECT_TRUE(makeSearch(name, {schedule::defaultSchedule(sketch(kPointwise)), {}, 0}));
}

} // namespace
} // namespace tessera::search
