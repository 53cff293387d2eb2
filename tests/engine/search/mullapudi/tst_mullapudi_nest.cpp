// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/mullapudi_nest.h"

#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/mullapudi/paper_pipelines.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::StageId;
using pipeline::test::sketch;
using schedule::Depth;
using schedule::LoopKind;
using schedule::Schedule;
using schedule::testing::planOf;
using schedule::testing::stageOf;
using schedule::testing::textOf;

std::optional<Schedule> written(const Schedule &start, const MullapudiKernel &kernel,
                                const std::vector<double> &reuse, NestForm form = {}) {
  return withMullapudiKernel(start, kernel, reuse, form, {});
}

// Section 5.4: "designating the outer tile loops as GPU block grid dimensions and the inner tile
// loops as GPU thread block dimensions. All intermediate buffers within a group are allocated in
// GPU shared memory". Section 4.2: "a single placement decision is made for all producers".
TEST(MullapudiNest, MapsAGroupToAKernel) {
  const auto pipeline = sketch(R"(
    input in 644 484
    func a(x y) 640 484 = in(x; y) in(x+4; y)
    func b(x y) 640 482 = a(x; y) a(x; y+2)
    func c(x y) 640 480 = b(x; y) b(x; y+2) a(x; y)
    output c
  )");
  const FuncId a{0}, b{1}, c{2};
  const auto found =
      written(schedule::defaultSchedule(pipeline), {{c, {a, b, c}, {}}, {32, 8}, {}, 0, 0}, {0, 9});
  ASSERT_TRUE(found);
  EXPECT_TRUE(schedule::isLegal(*found, {}));
  EXPECT_EQ(textOf(planOf(*found, "c").stages.front().nest),
            "0/32 1/8 : 0.1 thread, 1.1 thread, 0.0 block, 1.0 block");
  const schedule::Place place = planOf(*found, "a").compute;
  EXPECT_EQ(place, planOf(*found, "b").compute);
  EXPECT_EQ(place.stage, stageOf(*found, "c"));
  EXPECT_EQ(place.loop, (schedule::LoopRef{0, 0})); // the innermost block loop
  EXPECT_EQ(schedule::Bounds(*found).of(a).depth, Depth::Block);
  EXPECT_EQ(textOf(planOf(*found, "a").stages.front().nest), "0 1 : 0.0 thread, 1.0 thread");
}

// Section 4.4: "reorder each group output function's loops in order of maximal input locality […]
// constrained to never move the innermost dimension".
TEST(MullapudiNest, OrdersLoopsByReuse) {
  const auto pipeline = sketch("func f(x y z) 640 480 64 = \noutput f\n");
  const Schedule start = schedule::defaultSchedule(pipeline);
  const MullapudiKernel kernel{{FuncId{0}, {FuncId{0}}, {}}, {32, 2, 4}, {}, 0, 0};
  const auto byReuse = written(start, kernel, {9, 1, 5});
  ASSERT_TRUE(byReuse);
  EXPECT_EQ(textOf(planOf(*byReuse, "f").stages.front().nest),
            "0/32 1/2 2/4 : 0.1 thread, 2.1 thread, 1.1 thread, 0.0 block, 2.0 block, 1.0 block");
  const auto declared = written(start, kernel, {9, 1, 5}, {.order = NestForm::Order::AsDeclared});
  ASSERT_TRUE(declared);
  EXPECT_EQ(textOf(planOf(*declared, "f").stages.front().nest),
            "0/32 1/2 2/4 : 0.1 thread, 1.1 thread, 2.1 thread, 0.0 block, 1.0 block, 2.0 block");
}

// Figure 3: the loop over tiles of the reduction is around the loops of a tile. Its 32 steps are
// too many to be unrolled, 8 are not.
TEST(MullapudiNest, TilesReductions) {
  const auto product = testing::paperMatMul();
  const Schedule start = schedule::defaultSchedule(product);
  const auto kernel = [&](std::int64_t steps) {
    SingletonTile reductions{StageId{3}, {}, 0, 0};
    for (const pipeline::LoopDim &loop : product->stage(StageId{3}).loops)
      reductions.sizes.push_back(loop.argument ? 32 : steps);
    const FuncId c = testing::kMatrixC;
    return MullapudiKernel{{c, {c}, {}}, {32, 32}, reductions, 0, 0};
  };
  const auto kindsInside = [&](const Schedule &schedule) {
    std::vector<std::pair<LoopKind, bool>> kinds; // and whether it is a reduction
    for (const schedule::Loop &loop : schedule.plan(StageId{3}).nest.loops)
      kinds.emplace_back(loop.kind, !product->stage(StageId{3}).loops[loop.ref.axis].argument);
    return kinds;
  };
  const auto tiled = written(start, kernel(32), {1, 1});
  ASSERT_TRUE(tiled);
  EXPECT_TRUE(schedule::isLegal(*tiled, {}));
  using Kinds = std::vector<std::pair<LoopKind, bool>>;
  EXPECT_EQ(kindsInside(*tiled), (Kinds{{LoopKind::Serial, true},
                                        {LoopKind::Thread, false},
                                        {LoopKind::Thread, false},
                                        {LoopKind::Serial, true},
                                        {LoopKind::Block, false},
                                        {LoopKind::Block, false}}));
  const auto unrolled = written(start, kernel(8), {1, 1});
  ASSERT_TRUE(unrolled);
  EXPECT_TRUE(schedule::isLegal(*unrolled, {}));
  EXPECT_EQ(kindsInside(*unrolled).front(), std::pair(LoopKind::Unrolled, true));
  const auto whole =
      written(start, kernel(32), {1, 1}, {.reductions = NestForm::Reductions::Whole});
  ASSERT_TRUE(whole);
  EXPECT_EQ(kindsInside(*whole).size(), 5U);
}

// "unrolls the innermost loop if it contains only a small number of iterations".
TEST(MullapudiNest, UnrollsAShortInnermostLoop) {
  const auto pipeline = sketch(R"(
    input in 660 480
    func f(x y) 640 480 = 
    update f(x y) r:0:5:fixed = f(x; y) in(x+r; y)
    func g(x y) 640 480 = 
    update g(x y) r:0:50:fixed = g(x; y) in(r; y)
    func out(x y) 640 480 = f(x; y) g(x; y)
    output out
  )");
  const Schedule start = schedule::defaultSchedule(pipeline);
  for (const auto &[func, update, kind] : {std::tuple{FuncId{0}, StageId{1}, LoopKind::Unrolled},
                                           std::tuple{FuncId{1}, StageId{3}, LoopKind::Serial}}) {
    const auto found = written(start, {{func, {func}, {}}, {32, 4}, {}, 0, 0}, {0, 0});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->plan(update).nest.loops.front().kind, kind);
    EXPECT_TRUE(schedule::isLegal(*found, {}));
  }
}

// A func that is read outside of the group has no place in it.
TEST(MullapudiNest, RefusesAMemberThatOthersRead) {
  const auto pipeline = sketch(R"(
    input in 640 480
    func a(x y) 640 480 = in(x; y)
    func b(x y) 640 480 = a(x; y)
    func c(x y) 640 480 = a(x; y) b(x; y)
    output c
  )");
  const FuncId a{0}, b{1};
  Schedule start = schedule::defaultSchedule(pipeline);
  for (const char *func : {"a", "b"}) {
    schedule::FuncPlan plan;
    for (const pipeline::Stage &stage : pipeline->stagesOf(schedule::testing::funcOf(start, func)))
      plan.stages.push_back({schedule::kernelNest(stage)});
    start.set(schedule::testing::funcOf(start, func), std::move(plan));
  }
  EXPECT_FALSE(written(start, {{b, {a, b}, {}}, {32, 8}, {}, 0, 0}, {0, 0}));
}

} // namespace
} // namespace tessera::search
