// SPDX-License-Identifier: MIT
#include "engine/search/kernels/group.h"
#include "engine/search/kernels/tile_dims.h"
#include "engine/search/kernels/written_tile.h"

#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::PipelinePtr;
using pipeline::test::sketch;
using schedule::LoopKind;
using schedule::Place;
using schedule::Schedule;
using schedule::Tail;
using schedule::testing::funcOf;
using schedule::testing::loweredText;
using schedule::testing::planOf;
using schedule::testing::stageOf;
using schedule::testing::textOf;

Schedule startOf(std::string_view pipeline) { return schedule::defaultSchedule(sketch(pipeline)); }

Group pairOf(const Schedule &schedule, std::string_view output, std::string_view member) {
  return {funcOf(schedule, output), {}, {{funcOf(schedule, member)}}, schedule.pipeline()->ids()};
}

struct Named {
  std::string func;
  Placement placement = Placement::Block;
};

std::optional<Schedule> written(const Schedule &start, std::string_view output, const Tile &tile,
                                const std::vector<Named> &members = {}) {
  Group group{funcOf(start, output), tile, {}, start.pipeline()->ids()};
  for (const Named &member : members)
    group.members.push_back({funcOf(start, member.func), member.placement});
  std::ranges::sort(group.members, {}, &Member::func);
  return withGroup(start, group);
}

Schedule legally(const Schedule &start, std::string_view output, const Tile &tile,
                 const std::vector<Named> &members = {}) {
  auto schedule = written(start, output, tile, members);
  if (!schedule) throw std::invalid_argument("refused");
  const auto violations = schedule::check(*schedule, {});
  EXPECT_TRUE(violations.empty()) << violations.front().message;
  return std::move(*schedule);
}

const schedule::LoopNest &nestOf(const Schedule &schedule, std::string_view stage) {
  return schedule.plan(stageOf(schedule, stage)).nest;
}

// Returns the place at the innermost loop of a kind.
Place placeIn(const Schedule &schedule, std::string_view stage, LoopKind kind) {
  for (const schedule::Loop &loop : nestOf(schedule, stage).loops)
    if (loop.kind == kind) return Place::at(stageOf(schedule, stage), loop.ref);
  throw std::invalid_argument("no such loop");
}

std::vector<Tail> tailsOf(const schedule::LoopNest &nest) {
  std::vector<Tail> tails;
  for (const schedule::Axis &axis : nest.axes)
    for (const schedule::Split &split : axis.splits)
      tails.push_back(split.tail);
  return tails;
}

const std::string kImage = "func f(x y) 512 256 = \noutput f\n";
const std::string kBlur = "input in 514 256\n"
                          "func f(x y) 514 256 sine = in(x; y)\n"
                          "func g(x y) 512 256 = f(x+[0,2]; y)\n"
                          "output g\n";
constexpr Tile kTile{{32, 8}, {1, 1}, false};

// --- the output

TEST(Group, AnOutputIsCutIntoBlocksOfThreadsOfPoints) {
  // 32 threads of 2 points across, 8 threads of 4 points down.
  const Schedule schedule = legally(startOf(kImage), "f", {{32, 8}, {2, 4}, false});
  EXPECT_EQ(textOf(nestOf(schedule, "f")),
            "0/64/2 1/32/4 : 0.2 unrolled, 1.2 unrolled, 0.1 thread, 1.1 thread, 0.0 block, "
            "1.0 block");
  EXPECT_TRUE(planOf(schedule, "f").isRoot());
}

TEST(Group, ThreadsAreNoMoreThanTheOutputNeeds) {
  const Schedule schedule =
      legally(startOf("func f(x y) 20 6 = \noutput f\n"), "f", {{128, 8}, {4, 4}, false});
  EXPECT_EQ(textOf(nestOf(schedule, "f")), "0/32 1/8 : 0.1 thread, 1.1 thread, 0.0 block, "
                                           "1.0 block");
}

TEST(Group, PointsAreNoMoreThanTheOutputHas) {
  // A block has 32 threads of 3 points (96). With 4 points, some threads would have no work.
  const Schedule schedule =
      legally(startOf("func f(x) 96 = \noutput f\n"), "f", {{32, 1}, {4, 1}, false});
  EXPECT_EQ(textOf(nestOf(schedule, "f")), "0/96/3 : 0.2 unrolled, 0.1 thread, 0.0 block");
}

TEST(Group, AShortDimensionIsWholeInAThreadOrInBlocksOfItsOwn) {
  const std::string channels = "func f(c x y) 3 512 256 = \noutput f\n";
  const Schedule apart = legally(startOf(channels), "f", kTile);
  EXPECT_EQ(textOf(nestOf(apart, "f")), "0 1/32 2/8 : 1.1 thread, 2.1 thread, 0.0 block, "
                                        "1.0 block, 2.0 block");
  const Schedule whole = legally(startOf(channels), "f", {{32, 8}, {1, 1}, true});
  EXPECT_EQ(textOf(nestOf(whole, "f")), "0/3 1/32 2/8 : 0.1 unrolled, 1.1 thread, 2.1 thread, "
                                        "0.0 block, 1.0 block, 2.0 block");
}

TEST(Group, AThirdLongDimensionMayHaveThreadsAndPointsToo) {
  const std::string slices = "func f(x y z) 512 256 32 = \noutput f\n";
  Tile tile{{16, 4}, {1, 2}};
  const Schedule two = legally(startOf(slices), "f", tile);
  EXPECT_EQ(textOf(nestOf(two, "f")), "0/16 1/8/2 2 : 1.2 unrolled, 0.1 thread, 1.1 thread, "
                                      "0.0 block, 1.0 block, 2.0 block");
  tile.deepThreads = 4;
  tile.deepPoints = 8;
  const Schedule three = legally(startOf(slices), "f", tile);
  EXPECT_EQ(textOf(nestOf(three, "f")),
            "0/16 1/8/2 2/32/8 : 1.2 unrolled, 2.2 unrolled, 0.1 thread, 1.1 thread, 2.1 thread, "
            "0.0 block, 1.0 block, 2.0 block");
  EXPECT_EQ(tileOf(three, groupsOf(three).front()), tile);
  // A thread could compute 8 points along the third dimension, c, but c has only 4. So a tile
  // without a third dimension gives the same schedule.
  EXPECT_EQ(legally(startOf("func f(x y c) 512 256 4 = \noutput f\n"), "f", tile),
            legally(startOf("func f(x y c) 512 256 4 = \noutput f\n"), "f", {{16, 4}, {1, 2}}));
}

TEST(Group, APureOutputIsShiftedInwardsAtItsEnd) {
  EXPECT_EQ(tailsOf(nestOf(legally(startOf(kImage), "f", {{32, 8}, {1, 4}, false}), "f")),
            std::vector(3, Tail::ShiftInwards));
}

TEST(Group, WhatIsUpdatedOrSmallerThanABlockIsGuarded) {
  const Schedule updated = legally(startOf("input in 512 256\n"
                                           "func f(x y) 512 256 = \n"
                                           "update f(x y) = f(x; y) in(x; y)\n"
                                           "output f\n"),
                                   "f", kTile);
  for (const char *stage : {"f", "f.update(0)"})
    EXPECT_EQ(tailsOf(nestOf(updated, stage)), std::vector(2, Tail::GuardWithIf)) << stage;
  const Schedule small = legally(startOf("func f(x) 20 = \noutput f\n"), "f", kTile);
  EXPECT_EQ(tailsOf(nestOf(small, "f")), std::vector(1, Tail::GuardWithIf));
}

TEST(Group, ShortReductionsAreUnrolledAndLongOnesAreNot) {
  const auto nestFor = [](const std::string &steps) {
    return textOf(nestOf(legally(startOf("input in 512 256\n"
                                         "func f(x y) 512 256 = \n"
                                         "update f(x y) r:0:" +
                                         steps +
                                         ":fixed = f(x; y) in(x; r)\n"
                                         "output f\n"),
                                 "f", kTile),
                         "f.update(0)"));
  };
  EXPECT_NE(nestFor("16").find("unrolled"), std::string::npos) << nestFor("16");
  EXPECT_EQ(nestFor("17").find("unrolled"), std::string::npos) << nestFor("17");
}

TEST(Group, AHistogramIsSpreadOverItsReductionAtomically) {
  const std::string update = "update h(?) rx:0:4096 ry:0:4096 ";
  const auto planFor = [&](const std::string &properties) {
    const Schedule schedule = legally(startOf("input in 4096 4096\n"
                                              "func h(i) 256 = \n" +
                                              update + properties +
                                              "= h(?) in(rx; ry)\n"
                                              "output h\n"),
                                      "h", kTile);
    return schedule.plan(stageOf(schedule, "h.update(0)"));
  };
  const schedule::StagePlan spread = planFor("commutative ");
  EXPECT_EQ(spread.atomic, schedule::Atomic::Proven);
  EXPECT_TRUE(spread.nest.contains(LoopKind::Block));
  // Without the property "commutative", the update gets no atomics and stays in one thread.
  EXPECT_EQ(planFor("").atomic, schedule::Atomic::No);
}

// --- members

TEST(Group, AMemberInTheBlocksUsesTheSameThreads) {
  const Schedule schedule = legally(startOf(kBlur), "g", kTile, {{"f", Placement::Block}});
  EXPECT_EQ(planOf(schedule, "f").compute, placeIn(schedule, "g", LoopKind::Block));
  const schedule::LoopNest &nest = nestOf(schedule, "f");
  EXPECT_EQ(std::ranges::count(nest.loops, LoopKind::Thread, &schedule::Loop::kind), 2);
  EXPECT_FALSE(nest.contains(LoopKind::Block));
}

TEST(Group, AMemberInTheBlocksUsesTheThreadsOfAThirdDimension) {
  Tile tile{{16, 4}, {1, 1}};
  tile.deepThreads = 2;
  const Schedule schedule = legally(startOf("input in 514 256 32\n"
                                            "func f(x y z) 514 256 32 sine = in(x; y; z)\n"
                                            "func g(x y z) 512 256 32 = f(x+[0,2]; y; z)\n"
                                            "output g\n"),
                                    "g", tile, {{"f", Placement::Block}});
  EXPECT_EQ(
      std::ranges::count(nestOf(schedule, "f").loops, LoopKind::Thread, &schedule::Loop::kind), 3);
  EXPECT_EQ(tileOf(schedule, groupsOf(schedule).front()), tile);
}

TEST(Group, TurnsOfABlocksThreadsMayBeUnrolled) {
  Tile tile = kTile;
  tile.turns = Turns::Unrolled;
  const Schedule schedule = legally(startOf(kBlur), "g", tile, {{"f", Placement::Block}});
  // A row of 34 elements of f takes two iterations of 32 threads. The 8 rows take 8 threads.
  EXPECT_EQ(textOf(nestOf(schedule, "f")),
            "0/32 1/8 : 0.0 unrolled, 1.0 unrolled, 0.1 thread, 1.1 thread");
  EXPECT_EQ(tileOf(schedule, groupsOf(schedule).front()), tile);
}

TEST(Group, TurnsWithoutNumberAreNotUnrolled) {
  Tile tile{{1, 1}, {1, 1}, false};
  tile.turns = Turns::Unrolled;
  tile.points = {8, 8}; // f has 80 points in a thread, too many to unroll
  const auto schedule = written(startOf(kBlur), "g", tile, {{"f", Placement::Block}});
  ASSERT_TRUE(schedule);
  EXPECT_FALSE(nestOf(*schedule, "f").contains(LoopKind::Unrolled));
}

TEST(Group, AMemberInTheThreadsIsUnrolledThere) {
  const Schedule schedule = legally(startOf(kBlur), "g", kTile, {{"f", Placement::Thread}});
  EXPECT_EQ(planOf(schedule, "f").compute, placeIn(schedule, "g", LoopKind::Thread));
  // Each thread computes three points of f along x, and one along y.
  EXPECT_EQ(textOf(nestOf(schedule, "f")), "0 1 : 0.0 unrolled, 1.0");
}

TEST(Group, WhatAThreadCannotKeepInRegistersStaysALoop) {
  const Schedule schedule = legally(startOf("input in 640 256\n"
                                            "func f(x y) 640 256 = in(x; y)\n"
                                            "func g(x y) 512 256 = f(x+[0,100]; y)\n"
                                            "output g\n"),
                                    "g", kTile, {{"f", Placement::Thread}});
  EXPECT_FALSE(nestOf(schedule, "f").contains(LoopKind::Unrolled));
}

const std::string kChain = "input in 516 256\n"
                           "func a(x y) 516 256 sine = in(x; y)\n"
                           "func b(x y) 514 256 sine = a(x; y) a(x+1; y) a(x+2; y)\n"
                           "func c(x y) 512 256 = b(x; y) b(x+1; y) b(x+2; y)\n"
                           "output c\n";

TEST(Group, AMemberFollowsItsReaderIntoItsThreads) {
  // b is computed in the blocks of c, and a in the threads of b.
  const Schedule inBlock =
      legally(startOf(kChain), "c", kTile, {{"a", Placement::Thread}, {"b", Placement::Block}});
  EXPECT_EQ(planOf(inBlock, "b").compute, placeIn(inBlock, "c", LoopKind::Block));
  EXPECT_EQ(planOf(inBlock, "a").compute, placeIn(inBlock, "b", LoopKind::Thread));
  // a and b are both computed in the threads of c.
  const Schedule inThread =
      legally(startOf(kChain), "c", kTile, {{"a", Placement::Thread}, {"b", Placement::Thread}});
  EXPECT_EQ(planOf(inThread, "b").compute, placeIn(inThread, "c", LoopKind::Thread));
  EXPECT_EQ(planOf(inThread, "a").compute, placeIn(inThread, "c", LoopKind::Thread));
}

TEST(Group, OnlyItsFuncsAreWritten) {
  const Schedule start = startOf(kChain);
  const Schedule schedule = legally(start, "c", kTile, {{"b", Placement::Block}});
  EXPECT_EQ(planOf(schedule, "a"), planOf(start, "a"));
  EXPECT_NE(planOf(schedule, "b"), planOf(start, "b"));
}

// --- refused groups

TEST(Group, IsRefusedWhereAReaderIsNoMember) {
  for (const Placement placement : {Placement::Block, Placement::Thread})
    EXPECT_FALSE(written(startOf(kChain), "c", kTile, {{"a", placement}}));
}

TEST(Group, IsRefusedWhereReadersAreTwoStagesOfTheOutput) {
  // Each stage of g has blocks of its own, so f would have to be in two kernels.
  const Schedule start = startOf("input in 512 256\n"
                                 "func f(x y) 512 256 sine = in(x; y)\n"
                                 "func g(x y) 512 256 = f(x; y)\n"
                                 "update g(x y) = g(x; y) f(x; y)\n"
                                 "output g\n");
  for (const Placement placement : {Placement::Block, Placement::Thread})
    EXPECT_FALSE(written(start, "g", kTile, {{"f", placement}}));
}

TEST(Group, IsRefusedInTheThreadsOfTwoMembersOfABlock) {
  const std::string text = "input in 516 256\n"
                           "func f(x y) 516 256 sine = in(x; y)\n"
                           "func a(x y) 514 256 sine = f(x+[0,2]; y)\n"
                           "func b(x y) 514 256 sine = f(x+[0,2]; y)\n"
                           "func g(x y) 512 256 = a(x+[0,2]; y) b(x+[0,2]; y)\n"
                           "output g\n";
  const std::vector<Named> both{{"a", Placement::Block}, {"b", Placement::Block}};
  std::vector<Named> members = both;
  members.push_back({"f", Placement::Thread});
  EXPECT_FALSE(written(startOf(text), "g", kTile, members));
  members.back().placement = Placement::Block;
  EXPECT_TRUE(written(startOf(text), "g", kTile, members)) << "the blocks are the same";
}

// --- tiles

std::vector<Tile> tilesOf(std::string_view text, TileEffort effort) {
  const PipelinePtr pipeline = sketch(text);
  return tilesFor(*pipeline, {.output = pipeline->outputs().front().func, .ids = pipeline->ids()},
                  effort);
}

// Maps each effective tile to the hash of the schedule it gives. Tiles that are effectively the
// same must give the same schedule.
std::map<Tile, std::uint64_t> writtenByTile(std::string_view pipeline, std::string_view output,
                                            const std::vector<Named> &members = {}) {
  const Schedule start = startOf(pipeline);
  Group group{funcOf(start, output), Tile{}, {}, start.pipeline()->ids()};
  for (const Named &member : members)
    group.members.push_back({funcOf(start, member.func), member.placement});
  std::map<Tile, std::uint64_t> hashes;
  for (const Tile &tile : tilesFor(*start.pipeline(), group, TileEffort::Many)) {
    group.tile = tile;
    const auto schedule = withGroup(start, group);
    if (!schedule) throw std::invalid_argument("refused");
    const Tile one = effective(*start.pipeline(), group, tile, {});
    EXPECT_EQ(hashes.try_emplace(one, schedule->hash()).first->second, schedule->hash());
  }
  return hashes;
}

std::size_t differentOf(const std::map<Tile, std::uint64_t> &hashes) {
  std::set<std::uint64_t> different;
  for (const auto &[tile, hash] : hashes)
    different.insert(hash);
  return different.size();
}

TEST(Tiles, ThatAreEffectivelyOneAreWrittenAlike) {
  const std::string ofIn = " = in(x; y)\noutput f\n";
  for (const char *func : {"func f(x y) 20 3", "func f(x y) 512 256", "func f(c x y) 3 20 300"}) {
    SCOPED_TRACE(func);
    const auto hashes = writtenByTile("input in 600 600\n" + (func + ofIn), "f");
    EXPECT_GT(hashes.size(), 1U);
    EXPECT_EQ(hashes.size(), differentOf(hashes)) << "alone, what differs is written otherwise";
  }
}

TEST(Tiles, AMemberInTheBlocksTakesTheThreadsOfTheTile) {
  const std::string small = "input in 600 600\nfunc a(x y) 600 600 sine = in(x; y)\n"
                            "func f(x y) 20 3 = a(x+[0,100]; y)\noutput f\n";
  const auto alone = writtenByTile(small, "f");
  const auto withMember = writtenByTile(small, "f", {{"a"}});
  EXPECT_GT(differentOf(withMember), differentOf(alone));
}

TEST(Tiles, AreFewAtFirstAndManyInTheEnd) {
  const std::vector<Tile> few = tilesOf(kImage, TileEffort::Few);
  const std::vector<Tile> many = tilesOf(kImage, TileEffort::Many);
  EXPECT_EQ(few.size(), 3u * 3 * 2); // widths × heights × points along y
  EXPECT_GT(many.size(), 10 * few.size());
  for (const Tile &tile : few)
    EXPECT_EQ(std::ranges::count(many, tile), 1);
}

TEST(Tiles, HaveAWarpToABlockOfThreads) {
  for (const Tile &tile : tilesOf(kImage, TileEffort::Many)) {
    const std::int64_t threads = tile.threads[0] * tile.threads[1];
    EXPECT_GE(threads, 32);
    EXPECT_LE(threads, 1024);
    EXPECT_FALSE(tile.shortWhole);
  }
}

TEST(Tiles, TryAShortDimensionBothWays) {
  for (const char *extent : {"2", "4"}) {
    const std::string text = "func f(x y c) 512 256 " + std::string(extent) + " = \noutput f\n";
    const std::vector<Tile> tiles = tilesOf(text, TileEffort::Few);
    EXPECT_EQ(tiles.size(), 2 * tilesOf(kImage, TileEffort::Few).size()) << extent;
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(tiles, true, &Tile::shortWhole)),
              tiles.size() / 2)
        << extent;
  }
}

TEST(Tiles, ADimensionOfOneOrFiveIsNotShort) {
  for (const char *extent : {"1", "5"}) {
    const std::string text = "func f(x y c) 512 256 " + std::string(extent) + " = \noutput f\n";
    for (const Tile &tile : tilesOf(text, TileEffort::Few))
      EXPECT_FALSE(tile.shortWhole) << extent;
  }
}

// A table of 8 entries for each of 128 × 128 cells, and a func that reads it.
const std::string kTables = "input in 1024 1024\n"
                            "func h(x y b) 128 128 8 = \n"
                            "update h(x y ?) r:0:8 q:0:8 = h(x; y; ?) in(8*x+r; 8*y+q)\n"
                            "func g(x y b) 128 128 8 = h(x; y; b) h(x; y; b+1)\n"
                            "output g\n";

TEST(Tiles, TryWhatDataChooseWholeInAThread) {
  const std::vector<Tile> tiles = tilesOf(kTables, TileEffort::Few);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(tiles, Whole::Thread, &Tile::longWhole)),
            tiles.size() / 3);
  Tile tile{{16, 8}, {1, 1}, false, Whole::Thread};
  const Schedule schedule = legally(startOf(kTables), "g", tile, {{"h", Placement::Block}});
  EXPECT_EQ(textOf(nestOf(schedule, "g")),
            "0/16 1/8 2/8 : 2.1 unrolled, 0.1 thread, 1.1 thread, 0.0 block, 1.0 block, 2.0 block");
}

TEST(Tiles, TrySumsIntoFewPointsBothWays) {
  const std::string text = "input in 64 4096\nfunc s(x) 64 = \n"
                           "update s(x) r:0:4096 associative commutative = s(x) in(x; r)\n"
                           "output s\n";
  const std::vector<Tile> tiles = tilesOf(text, TileEffort::Few);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(tiles, false, &Tile::spread)),
            tiles.size() / 2);
  for (const bool spread : {true, false}) {
    const Group group{.output = FuncId{0},
                      .tile = Tile{{16, 4}, {1, 1}, false, Whole::None, spread},
                      .ids = sketch(text)->ids()};
    const auto written = withGroup(startOf(text), group);
    ASSERT_TRUE(written);
    EXPECT_EQ(written->plan(FuncId{0}).stages[1].atomic != schedule::Atomic::No, spread);
    EXPECT_EQ(tileOf(*written, group)->spread, spread);
  }
}

// A scan along x in each of 256 rows, and an output whose blocks each contain whole rows of the
// scan.
const std::string kScan = "input in 1024 256\n"
                          "func s(x y) 1024 256 = in(x; y)\n"
                          "update s(r y) r:1:1023 = s(r; y) s(r-1; y)\n"
                          "func g(x y) 1024 256 = s(x; y)\n"
                          "output g\n";

TEST(Group, ABlockMayHaveAScanWhole) {
  const Tile tile{{64, 4}, {1, 2}, false, Whole::Block};
  const Schedule schedule = legally(startOf(kScan), "g", tile, {{"s", Placement::Block}});
  // A row of 1024 points takes 16 iterations of 64 threads. Four threads along y take two rows
  // each.
  EXPECT_EQ(textOf(nestOf(schedule, "g")),
            "0/64 1/8/2 : 1.2 unrolled, 0.0, 0.1 thread, 1.1 thread, 1.0 block");
  EXPECT_EQ(tileOf(schedule, pairOf(schedule, "g", "s")), tile);
  // One thread runs all steps of a row's scan, so only the loop over rows has threads.
  EXPECT_EQ(textOf(nestOf(schedule, "s.update(0)")), "0 1/4 : 0.0, 1.1 thread, 1.0");
}

// A row of 1024 points takes 64 iterations of 16 threads. They are unrolled in groups of eight.
TEST(Group, OfManyTurnsSomeAreUnrolled) {
  Tile tile{{16, 4}, {1, 1}, false, Whole::Block};
  tile.turns = Turns::Unrolled;
  const Schedule schedule = legally(startOf(kScan), "g", tile, {{"s", Placement::Block}});
  EXPECT_EQ(textOf(nestOf(schedule, "s")),
            "0/128/16 1/4 : 0.1 unrolled, 0.2 thread, 1.1 thread, 0.0, 1.0");
  EXPECT_EQ(tileOf(schedule, pairOf(schedule, "g", "s")), tile);
}

TEST(Group, ALongReductionIsUnrolledByStepsOrNot) {
  const std::vector<Tile> many = tilesOf(kScan, TileEffort::Many);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(many, 8, &Tile::steps)), 0U)
      << "the output has none";
  const PipelinePtr pipeline = sketch(kScan);
  const Group group{
      funcOf(startOf(kScan), "g"), {}, {{funcOf(startOf(kScan), "s")}}, pipeline->ids()};
  const std::vector<Tile> withScan = tilesFor(*pipeline, group, TileEffort::Many);
  for (const std::int64_t steps : {8, 16})
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(withScan, steps, &Tile::steps)),
              withScan.size() / 3);
  for (const std::int64_t steps : {8, 16}) {
    const Tile tile{{64, 4}, {1, 1}, false, Whole::Block, true, steps};
    const Schedule schedule = legally(startOf(kScan), "g", tile, {{"s", Placement::Block}});
    EXPECT_EQ(textOf(nestOf(schedule, "s.update(0)")),
              "0/" + std::to_string(steps) + " 1/4 : 0.1 unrolled, 0.0, 1.1 thread, 1.0");
    EXPECT_EQ(tileOf(schedule, group), tile);
  }
}

// A reduction over 53 columns, like that over a disc in max_filter.
TEST(Group, AReductionOfUpTo64StepsMayBeUnrolledWhole) {
  const std::string text = "input in 640 256\n"
                           "func m(x y) 512 256 = \n"
                           "update m(x y) r:0:53:fixed commutative = m(x; y) in(x+r; y)\n"
                           "func g(x y) 512 256 = m(x; y)\n"
                           "output g\n";
  const PipelinePtr pipeline = sketch(text);
  const Member inThread{funcOf(startOf(text), "m"), Placement::Thread};
  const Group group{funcOf(startOf(text), "g"), {}, {inThread}, pipeline->ids()};
  const std::vector<Tile> many = tilesFor(*pipeline, group, TileEffort::Many);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(many, kAllSteps, &Tile::steps)),
            many.size() / 3);
  const Tile whole{{32, 8}, {1, 1}, false, Whole::None, true, kAllSteps};
  const Schedule schedule = legally(startOf(text), "g", whole, {{"m", Placement::Thread}});
  EXPECT_EQ(textOf(nestOf(schedule, "m.update(0)")), "0 1 2 : 1.0, 2.0, 0.0 unrolled");
  EXPECT_EQ(tileOf(schedule, group), whole);
}

// --- sums in a block

// A histogram of each row.
const std::string kRows = "input in 512 256\n"
                          "func h(i y) 64 256 int32 = \n"
                          "update h(? y) r:0:512 commutative = h(?; y) in(r; y)\n"
                          "func g(i y) 64 256 = h(i; y)\n"
                          "output g\n";

TEST(Group, ASumOfFewPointsInABlockMayBeSpreadOverItsSteps) {
  const Group group{
      funcOf(startOf(kRows), "g"), {}, {{funcOf(startOf(kRows), "h"), Placement::Block}}};
  EXPECT_EQ(memberSpreadChoices(*sketch(kRows), group), (std::vector{false, true}));
  Tile tile{{64, 2}, {1, 1}};
  tile.spreadMembers = true;
  const Schedule schedule = legally(startOf(kRows), "g", tile, {{"h", Placement::Block}});
  // The threads run 64 steps of two rows at the same time. Each thread runs eight iterations.
  EXPECT_EQ(textOf(nestOf(schedule, "h.update(0)")), "0/64 1/2 : 0.0, 1.0, 0.1 thread, 1.1 thread");
  EXPECT_EQ(planOf(schedule, "h").stages[1].atomic, schedule::Atomic::Proven);
  EXPECT_EQ(tileOf(schedule, groupsOf(schedule).front()), tile);
}

TEST(Group, NoSumIsSpreadWhereItsPointsAreEnough) {
  Tile tile{{32, 2}, {1, 16}};
  tile.spreadMembers = true;
  const auto schedule = written(startOf(kRows), "g", tile, {{"h", Placement::Block}});
  ASSERT_TRUE(schedule); // h has fewer rows than threads, so some steps run in parallel
  EXPECT_EQ(planOf(*schedule, "h").stages[1].atomic, schedule::Atomic::Proven);
  tile.points = {1, 32};
  const auto more = written(startOf(kRows), "g", tile, {{"h", Placement::Block}});
  ASSERT_TRUE(more);
  EXPECT_EQ(planOf(*more, "h").stages[1].atomic, schedule::Atomic::No);
}

TEST(Group, NoSumOfFloatsIsSpreadInABlock) {
  std::string text = kRows;
  text.erase(text.find(" int32"), 6);
  const Group group{
      funcOf(startOf(text), "g"), {}, {{funcOf(startOf(text), "h"), Placement::Block}}};
  EXPECT_EQ(memberSpreadChoices(*sketch(text), group), std::vector{false});
}

// To prove an atomic update, Halide compares the indices of load and store. It does not recognise
// that indices are equal if they contain a clamp, a factor or a sum of loops.
TEST(Group, NoSumIsSpreadWhosePlaceIsNoPlainExpression) {
  Tile tile{{64, 2}, {1, 1}};
  tile.spreadMembers = true;
  for (const char *read : {"in(clamp(r,0,500); y)", "in(2*r; y)", "in(r+y; y)"}) {
    std::string text = kRows;
    text.replace(text.find("in(r; y)"), 8, read);
    const auto schedule = written(startOf(text), "g", tile, {{"h", Placement::Block}});
    ASSERT_TRUE(schedule) << read;
    EXPECT_EQ(planOf(*schedule, "h").stages[1].atomic, schedule::Atomic::No) << read;
  }
}

TEST(Group, PartialResultsMayHaveABlockForEachStrip) {
  Schedule start = startOf("input in 128 4096\n"
                           "func s(x) 128 = \n"
                           "update s(x) r:0:4096 commutative = s(x) in(x; r)\n"
                           "output s\n");
  ASSERT_TRUE(start.add(schedule::Factored{"p", "s", 1, {{"r", "ro", "ri", 64}}, {{"ro", "u"}}}));
  ASSERT_TRUE(start.add(schedule::Wrapper{"c", "p", {}}));
  for (const char *func : {"s", "p", "c"}) {
    schedule::FuncPlan plan;
    for (const pipeline::Stage &stage : start.pipeline()->stagesOf(funcOf(start, func)))
      plan.stages.push_back({schedule::kernelNest(stage)});
    start.set(funcOf(start, func), std::move(plan));
  }
  EXPECT_EQ(stripChoices(start, funcOf(start, "c")), (std::vector{false, true}));
  EXPECT_EQ(stripChoices(start, funcOf(start, "s")), std::vector{false});
  Tile tile{{32, 4}, {1, 1}};
  tile.strips = true;
  const Schedule schedule = legally(start, "c", tile, {{"p", Placement::Block}});
  // A block computes all 128 points, with four rows of 32 threads.
  EXPECT_EQ(textOf(nestOf(schedule, "c")), "0/128/32 1 : 0.0, 0.2 thread, 0.1 thread, 1.0 block");
  EXPECT_EQ(textOf(nestOf(schedule, "p.update(0)")),
            "0 1/128/32 2 : 0.0, 1.0, 2.0, 1.2 thread, 1.1 thread");
  EXPECT_EQ(tileOf(schedule, pairOf(schedule, "c", "p")), tile);
}

} // namespace
} // namespace tessera::search
