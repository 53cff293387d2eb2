// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_search.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/algorithms.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/freezes.h"
#include "tests/engine/search/searched.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

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
class AutoGpuPipelines : public ::testing::TestWithParam<std::tuple<std::string, AutoGpuFusion>> {};

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
                           // A matrix product, which is a reduction.
                           R"(
              input a 512 512
              input b 512 512
              func sum(x y) 512 512 = 
              update sum(x y) r:0:512 = sum(x; y) a(r; y) b(x; r)
              func out(x y) 512 512 = sum(x; y)
              output out
            )",
                           // A histogram: a reduction over data-dependent places, without a pure
                           // loop to parallelise.
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
                       ::testing::Values(AutoGpuFusion::None, AutoGpuFusion::Overlap,
                                         AutoGpuFusion::Nested, AutoGpuFusion::NestedAll)));

TEST(AutoGpuSearch, GivesTheSameForTheSame) {
  const Ended first = run(kStencils), again = run(kStencils);
  EXPECT_EQ(first.best.schedule, again.best.schedule);
  EXPECT_EQ(first.evaluations, again.evaluations);
  EXPECT_EQ(first.steps, again.steps);
}

// What is frozen is kept, and nothing else: not the rest of the kernel.
TEST(AutoGpuSearch, KeepsAFrozenDecisionAndNotItsKernel) {
  Schedule start = schedule::defaultSchedule(sketch(kStencils));
  const schedule::DecisionKey factors{funcOf(start, "blur"), 0, schedule::DecisionKind::Factors, 0};
  start.setMark(factors, {schedule::Origin::User, true});
  const Ended ended = runFrom(start, AutoGpuFusion::NestedAll);
  EXPECT_EQ(testing::changedFrozen(start, ended.best.schedule), std::vector<std::string>());
  EXPECT_NE(planOf(ended.best.schedule, "blur"), planOf(start, "blur"));
  EXPECT_NE(planOf(ended.best.schedule, "out"), planOf(start, "out"));
}

// Without the frozen place, blur would be computed in the blocks of out.
TEST(AutoGpuSearch, KeepsAFrozenPlaceAtTheRoot) {
  Schedule start = schedule::defaultSchedule(sketch(kStencils));
  testing::freeze(start, "blur", schedule::DecisionKind::Compute);
  const Ended ended = runFrom(start, AutoGpuFusion::Overlap);
  EXPECT_TRUE(planOf(ended.best.schedule, "blur").isRoot());
  EXPECT_NE(planOf(ended.best.schedule, "blur").stages, planOf(start, "blur").stages);
}

// A func stays in the kernel where its frozen place is. Its loops, and those of the func that it is
// computed in, get the tiles that AutoGPU finds.
TEST(AutoGpuSearch, KeepsAFrozenPlaceInAKernel) {
  Schedule start = run(kFigure4, AutoGpuFusion::Overlap).best.schedule;
  const Schedule tiled = *withOverlappedTiles(
      start, {funcOf(start, "z"), {FuncId{0}, FuncId{1}, FuncId{2}}, {}, {16, 8}, {true, true}},
      AutoGpuTails::Automatic);
  start = tiled;
  testing::freeze(start, "w", schedule::DecisionKind::Compute);
  const Ended ended = runFrom(start, AutoGpuFusion::NestedAll);
  EXPECT_EQ(testing::changedFrozen(start, ended.best.schedule), std::vector<std::string>());
  EXPECT_EQ(planOf(ended.best.schedule, "w").compute, planOf(start, "w").compute);
  EXPECT_NE(planOf(ended.best.schedule, "z"), planOf(start, "z"));
  EXPECT_EQ(depthOf(ended.best.schedule, "k"), Depth::Thread) << "k is free, and nested";
}

// Without a frozen decision, the start does not matter.
TEST(AutoGpuSearch, BeginsAnewWhereNothingIsFrozen) {
  const Schedule fresh = schedule::defaultSchedule(sketch(kStencils));
  const Schedule found = runFrom(fresh, AutoGpuFusion::Overlap).best.schedule;
  EXPECT_EQ(runFrom(found, AutoGpuFusion::Overlap).best.schedule, found);
}

// "HL_CUDA_JIT_MAX_REGISTERS=256": as many as a thread may have, unless blocks are too large or the
// user asks for fewer.
TEST(AutoGpuSearch, RaisesTheRegisterCapAsFarAsBlocksAllow) {
  const auto capWith = [&](ParameterValues parameters, std::string_view text) {
    Problem problem{schedule::defaultSchedule(sketch(text)), {}};
    problem.parameters = std::move(parameters);
    return testing::searched(problem, "autogpu").best.schedule.settings().registerCap;
  };
  EXPECT_EQ(capWith({}, kPointwise), 255);
  EXPECT_EQ(capWith({{"REGISTER_CAP", 64}}, kPointwise), 64);
  // The blocks of kFigure4 have more than 256 threads, and 65,536 registers are for all of them.
  const int cap = capWith({}, kFigure4);
  EXPECT_GE(cap, 64);
  EXPECT_LT(cap, 255);
  Schedule frozen = schedule::defaultSchedule(sketch(kPointwise));
  testing::freeze(frozen, {{}, 0, schedule::DecisionKind::RegisterCap, 0});
  EXPECT_EQ(runFrom(frozen, AutoGpuFusion::Nested).best.schedule.settings().registerCap, 64);
}

// What is not in the paper is counted (small funcs, short dimensions), and told with the result.
TEST(AutoGpuSearch, TellsWhatThePaperDoesNotHave) {
  const auto remarks = [](std::string_view text, ParameterValues parameters = {}) {
    AutoGpuSearch search({schedule::defaultSchedule(sketch(text)), {}, 0, SIZE_MAX, {}, parameters},
                         AutoGpuFusion::Nested);
    while (search.step()) {
    }
    return search.remarks();
  };
  EXPECT_EQ(remarks(kStencils), std::vector<std::string>());
  constexpr std::string_view kSmall = "input in 16 12 3\n"
                                      "func out(x y c) 14 12 3 = in(x; y; c) in(x+2; y; c)\n"
                                      "output out\n";
  using ::testing::ElementsAre;
  EXPECT_THAT(remarks(kSmall),
              ElementsAre("1 kernel is tiled along dimensions that the paper leaves whole",
                          "1 kernel has no tiles that the paper allows, and has launchable ones"));
  EXPECT_THAT(remarks(kSmall, {{"WIDE", 1}}),
              ElementsAre("1 kernel has no tiles that the paper allows, and has launchable ones"));
}

// The terms of listing 1, by name, of each kernel that is found.
TEST(AutoGpuSearch, HasTheTermsOfItsCosts) {
  AutoGpuSearch search({schedule::defaultSchedule(sketch(kFigure4)), {}, 0},
                       AutoGpuFusion::Overlap);
  EXPECT_TRUE(search.kernelCosts().empty()) << "not before the end";
  while (search.step()) {
  }
  const std::vector<KernelCost> costs = search.kernelCosts();
  ASSERT_EQ(costs.size(), 1U);
  EXPECT_EQ(costs[0].kernel, "z");
  std::map<std::string_view, double> terms(costs[0].terms.begin(), costs[0].terms.end());
  EXPECT_EQ(terms["valid"], 1);
  EXPECT_GT(terms["member_loads"], 0);
  EXPECT_DOUBLE_EQ(terms["memory"], terms["member_loads"] + terms["other_loads"]);
  EXPECT_DOUBLE_EQ(terms["total"],
                   terms["arithmetic"] +
                       terms["memory"] / (terms["occupancy"] * terms["active_threads"])); // line 39
  AutoGpuSearch stopped({schedule::defaultSchedule(sketch(kFigure4)), {}, 0, 5},
                        AutoGpuFusion::Overlap);
  while (stopped.step()) {
  }
  EXPECT_TRUE(stopped.kernelCosts().empty()) << "the result may be the start";
}

// The options that change more than costs.
TEST(AutoGpuSearch, HasTheArtifactsOptions) {
  const auto found = [](std::string_view text, ParameterValues parameters) {
    Problem problem{schedule::defaultSchedule(sketch(text)), {}};
    problem.parameters = std::move(parameters);
    return testing::searched(problem, "autogpu-nested-all").best.schedule;
  };
  // first and second are each read point by point by two funcs, which are then inlined into out.
  constexpr std::string_view kDiamond = R"(
    input in 1544 2568
    func sum(x y) 1536 2560 = in(x; y) in(x+1; y) in(x+2; y) in(x; y+1) in(x; y+2)
    func first(x y) 1536 2560 = sum(x; y) sum(x; y)
    func second(x y) 1536 2560 = sum(x; y) sum(x; y)
    func out(x y) 1536 2560 = first(x; y) second(x; y)
    output out
  )";
  const Schedule repeated = found(kDiamond, {{"TRIVIAL", 1}});
  for (const char *func : {"sum", "first", "second"})
    EXPECT_TRUE(planOf(repeated, func).isInline()) << func;
  // UNROLL=4 leaves a loop of five iterations as it is.
  constexpr std::string_view kFive = "input in 512 512 5\n"
                                     "func out(x y c) 512 512 5 = in(x; y; c)\n"
                                     "output out\n";
  const auto unrolled = [](const Schedule &schedule) {
    return planOf(schedule, "out").stages.front().nest.contains(LoopKind::Unrolled);
  };
  EXPECT_TRUE(unrolled(found(kFive, {})));
  EXPECT_FALSE(unrolled(found(kFive, {{"UNROLL", 4}})));
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
