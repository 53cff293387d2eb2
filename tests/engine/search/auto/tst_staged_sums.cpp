// SPDX-License-Identifier: MIT
#include "engine/search/auto/staged_sums.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/group.h"
#include "engine/search/kernels/tile_dims.h"
#include "engine/search/kernels/written_tile.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/search/searched.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <utility>

namespace tessera::search {
namespace {

using pipeline::StageId;
using pipeline::test::sketch;
using schedule::LoopKind;
using schedule::Place;
using schedule::Schedule;
using schedule::Storage;
using schedule::testing::funcOf;
using schedule::testing::planOf;
using schedule::testing::stageOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Searched;
using testing::searched;

const std::string kProductOf =
    "input a 1024 1024\n"
    "input b 1024 1024\n"
    "func p(x y) 1024 1024 = \n"
    "update p(x y) k:0:1024:fixed commutative = p(x; y) a(k; y) b(x; k)\n";
const std::string kProduct = kProductOf + "func f(x y) 1024 1024 = p(x; y)\noutput f\n";
// A convolution as in a neural network: channels and pixels, read through an inlined func.
const std::string kConvolution = "input image 66 102 82\n"
                                 "input filter 64 3 3 66\n"
                                 "func padded(z x y) 64 102 82 = image(z; x; y)\n"
                                 "func c(o x y) 64 100 80 = \n"
                                 "update c(o x y) u:0:3:fixed v:0:3:fixed z:0:64:fixed commutative "
                                 "= c(o; x; y) filter(o; u; v; z) "
                                 "padded(z; x+u; y+v)\n"
                                 "func relu(o x y) 64 100 80 = c(o; x; y)\n"
                                 "output relu\n";

Schedule startOf(const std::string &text) { return schedule::defaultSchedule(sketch(text)); }

Schedule staged(const std::string &text, const Sum &sum) {
  Staged made = withStages(startOf(text), sum, {});
  EXPECT_GT(made.evaluations, 100U);
  if (!made.schedule) throw std::invalid_argument("cannot be staged");
  return std::move(*made.schedule);
}

// Returns the group that has members in the loop over steps.
Group groupOf(const Schedule &schedule) {
  for (Group &group : groupsOf(schedule))
    if (group.isStaged()) return std::move(group);
  throw std::invalid_argument("nothing is staged");
}

std::size_t fetchedIn(const Schedule &schedule) {
  std::size_t fetched = 0;
  for (const Group &group : groupsOf(schedule))
    fetched += static_cast<std::size_t>(
        std::ranges::count(group.members, Placement::Step, &Member::placement));
  return fetched;
}

// --- which sums are staged

TEST(SumsToStage, AreLongOnesThatSomebodyReads) {
  EXPECT_THAT(sumsToStage(startOf(kProduct), {}), ElementsAre(Sum{"p", 1}));
  EXPECT_THAT(sumsToStage(startOf(kConvolution), {}), ElementsAre(Sum{"c", 1}));
}

TEST(SumsToStage, AreNoneOfFewSteps) {
  EXPECT_THAT(sumsToStage(startOf("input a 1024 1026\n"
                                  "func p(x y) 1024 1024 = \n"
                                  "update p(x y) k:0:3 commutative = p(x; y) a(x; y+k)\n"
                                  "func f(x y) 1024 1024 = p(x; y)\n"
                                  "output f\n"),
                          {}),
              IsEmpty());
}

TEST(SumsToStage, AreNoneOfAKernelWithSomethingFrozen) {
  Schedule start = startOf(kProduct);
  start.setMark({funcOf(start, "p"), 1, schedule::DecisionKind::Order, 0}, {.frozen = true});
  EXPECT_THAT(sumsToStage(start, {}), IsEmpty());
}

// --- the staged schedule

TEST(StagedSums, AreKeptByThreadsWhileTheBlockFetches) {
  const Schedule schedule = staged(kProduct, {"p", 1});
  EXPECT_TRUE(schedule::isLegal(schedule, {}));
  EXPECT_EQ(planOf(schedule, "p").storage, Storage::Registers);
  EXPECT_EQ(planOf(schedule, "p").compute.stage, stageOf(schedule, "f"));
  constexpr schedule::LoopRef kStep{0, 0}; // the loop over k, the first loop of the update
  const StageId update = stageOf(schedule, "p.update(0)");
  for (const Member &member : groupOf(schedule).members) {
    const Place &place = schedule.plan(member.func).compute;
    EXPECT_EQ(place == Place::at(update, kStep), member.placement == Placement::Step);
  }
  // The threads run the steps together: the step loop is outside of all loops over threads.
  const auto &loops = schedule.plan(update).nest.loops;
  const auto step = std::ranges::find(loops, kStep, &schedule::Loop::ref);
  EXPECT_TRUE(std::none_of(
      step, loops.end(), [](const schedule::Loop &loop) { return loop.kind == LoopKind::Thread; }));
}

TEST(StagedSums, FetchWhatIsInlined) {
  const Schedule schedule = staged(kConvolution, {"c", 1});
  EXPECT_TRUE(schedule::isLegal(schedule, {}));
  EXPECT_GE(fetchedIn(schedule), 1U);
}

TEST(StagedSums, AreReadBackAsTheyWereWritten) {
  for (const std::string *text : {&kProduct, &kConvolution}) {
    const Schedule schedule = staged(*text, {text == &kProduct ? "p" : "c", 1});
    Group group = groupOf(schedule);
    EXPECT_TRUE(group.isStaged());
    group.tile = tileOf(schedule, group);
    ASSERT_TRUE(group.tile);
    const auto again = withGroup(schedule, group);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, schedule);
  }
}

TEST(StagedSums, HaveTilesThatFetchMoreAndLess) {
  const Schedule schedule = staged(kProduct, {"p", 1});
  Group group = groupOf(schedule);
  Tile tile;
  tile.staged = 8;
  tile.steps = 8;
  std::vector<std::int64_t> fetched;
  for (const Tile &near : tilesNear(*schedule.pipeline(), group, tile)) {
    fetched.push_back(near.staged);
    EXPECT_GE(near.staged, near.steps);
  }
  EXPECT_THAT(fetched, Contains(16));
  for (Member &member : group.members)
    member.placement = Placement::Block;
  for (const Tile &near : tilesNear(*schedule.pipeline(), group, tile))
    EXPECT_EQ(near.staged, 8);
}

// Neighbouring points of a thread form vectors, which are at most as long as one vector load.
TEST(StagedSums, HaveVectorsOfPoints) {
  const Schedule schedule = staged(kProduct, {"p", 1});
  Group group = groupOf(schedule);
  for (const std::int64_t points : {1, 2, 4, 8}) {
    group.tile = Tile{{16, 8}, {points, 2}};
    group.tile->staged = 16;
    group.tile->steps = 4;
    const auto written = withGroup(schedule, group);
    ASSERT_TRUE(written);
    EXPECT_TRUE(schedule::isLegal(*written, {})) << points;
    for (const char *stage : {"f", "p", "p.update(0)"})
      EXPECT_EQ(written->plan(stageOf(*written, stage)).nest.contains(LoopKind::Vectorized),
                points > 1)
          << points << " " << stage;
    EXPECT_EQ(tileOf(*written, group), group.tile) << points;
  }
}

// Halide would store the bits of the float32 (Rule::VectorHalves). Only f is unrolled instead.
TEST(StagedSums, HaveNoVectorsOfFloat32ThatBecomesFloat16) {
  for (const auto &[type, hasVectors] :
       {std::pair{"float32", true}, {"float16", true}, {"float16 narrows", false}}) {
    const Schedule schedule =
        staged(kProductOf + "func f(x y) 1024 1024 " + type + " = p(x; y)\noutput f\n", {"p", 1});
    Group group = groupOf(schedule);
    group.tile = Tile{{16, 8}, {4, 2}};
    group.tile->staged = 16;
    group.tile->steps = 4;
    const auto written = withGroup(schedule, group);
    ASSERT_TRUE(written) << type;
    EXPECT_TRUE(schedule::isLegal(*written, {})) << type;
    const auto vectorises = [&](const char *stage) {
      return written->plan(stageOf(*written, stage)).nest.contains(LoopKind::Vectorized);
    };
    EXPECT_EQ(vectorises("f"), hasVectors) << type;
    EXPECT_EQ(vectorises("p.update(0)"), hasVectors) << type;
    EXPECT_EQ(tileOf(*written, group), group.tile) << type;
  }
}

// The innermost loop adds and does not fetch. If one iteration has too many additions, LLVM leaves
// the sums in memory.
TEST(StagedSums, AreNotMoreThanACompilerKeepsInRegisters) {
  const Schedule schedule = staged(kProduct, {"p", 1});
  Group group = groupOf(schedule);
  const auto isWritten = [&](std::array<std::int64_t, 2> points, std::int64_t fetched,
                             std::int64_t steps) {
    group.tile = Tile{{16, 8}, points};
    group.tile->staged = fetched;
    group.tile->steps = steps;
    return withGroup(schedule, group).has_value();
  };
  EXPECT_TRUE(isWritten({4, 4}, 32, 16));
  EXPECT_FALSE(isWritten({4, 4}, 32, 32)); // all 32 fetched steps are unrolled, so no loop is left
  EXPECT_TRUE(isWritten({4, 8}, 16, 8));
  EXPECT_FALSE(isWritten({4, 8}, 32, 16)); // 128 additions of vectors per iteration
  EXPECT_FALSE(isWritten({8, 16}, 16, 1)); // 128 sums per thread
  EXPECT_FALSE(isWritten({4, 4}, 4, 8));   // 8 steps per iteration, but only 4 are fetched
}

TEST(StagedSums, FetchInATurnOnlyWhatFits) {
  const Schedule schedule = staged(kProduct, {"p", 1});
  Group group = groupOf(schedule);
  group.tile = Tile{{16, 2}, {4, 8}};
  group.tile->staged = 32;
  group.tile->steps = 4;
  const auto written = withGroup(schedule, group);
  ASSERT_TRUE(written);
  for (const Member &member : group.members) {
    if (member.placement != Placement::Step) continue;
    const schedule::LoopNest &nest =
        written->plan(written->pipeline()->func(member.func).firstStage).nest;
    EXPECT_TRUE(nest.contains(LoopKind::Unrolled));
    EXPECT_TRUE(nest.contains(LoopKind::Serial));
  }
}

// If the fetched func has no loop for one dimension of threads, these threads take rows of the
// func's last loop.
TEST(StagedSums, FetchWithTheThreadsOfAThirdDimension) {
  const Schedule schedule = staged(kConvolution, {"c", 1});
  Group group = groupOf(schedule);
  group.tile = Tile{{8, 4}, {4, 2}};
  group.tile->staged = 16;
  group.tile->steps = 4;
  group.tile->deepThreads = 2;
  const auto written = withGroup(schedule, group);
  ASSERT_TRUE(written);
  EXPECT_TRUE(schedule::isLegal(*written, {}));
  EXPECT_EQ(tileOf(*written, group), group.tile);
  for (const pipeline::FuncId func : group.funcs())
    for (const schedule::StagePlan &plan : written->plan(func).stages)
      EXPECT_EQ(std::ranges::count(plan.nest.loops, LoopKind::Thread, &schedule::Loop::kind), 3)
          << written->pipeline()->func(func).name;
}

TEST(StagedSums, WantASumOfTheBlockAroundThem) {
  const Schedule schedule = staged(kProduct, {"p", 1});
  Group group = groupOf(schedule);
  group.tile = tileOf(schedule, group);
  std::erase_if(group.members,
                [&](const Member &member) { return member.func == funcOf(schedule, "p"); });
  EXPECT_FALSE(withGroup(schedule, group));
}

// --- the search

TEST(StagedSums, AreFoundWhereTheyAreFaster) {
  const Searched found = searched(kProduct);
  EXPECT_THAT(found.phases, Contains("staged sums"));
  EXPECT_GE(fetchedIn(found.best.schedule), 1U);
  EXPECT_TRUE(schedule::isLegal(found.best.schedule, {}));
  EXPECT_DOUBLE_EQ(found.best.seconds, cost::predict(found.best.schedule, {}).seconds);
}

TEST(StagedSums, AreNotLookedForAroundAFunc) {
  const Schedule start = startOf(kProduct);
  const Searched found = searched(Problem{start, {}, 0, SIZE_MAX, {funcOf(start, "p")}});
  EXPECT_THAT(found.phases, Not(Contains("staged sums")));
}

} // namespace
} // namespace tessera::search
