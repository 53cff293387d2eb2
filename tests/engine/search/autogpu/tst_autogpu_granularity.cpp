// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_granularity.h"

#include "engine/search/autogpu/autogpu_nest.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::StageId;
using pipeline::test::sketch;
using schedule::LoopRef;
using schedule::Place;
using schedule::Schedule;
using schedule::testing::funcOf;
using schedule::testing::stageOf;
using search::AutoGpuGroup;
using testing::ElementsAre;
using testing::IsEmpty;

// The funcs K, W and Z of figure 4 of the paper.
constexpr std::string_view kFigure4 = R"(
  input e 1540 2568
  func k(x y c) 1536 2564 3 = e(x+0; y) e(x+1; y) e(x+2; y)
  func w(x y) 1536 2564 = k(x; y; 0) k(x; y; 1) k(x; y; 2)
  func z(x y) 1536 2560 = w(x; y) w(x; y+1) w(x; y+2) w(x; y+3) w(x; y+4)
  output z
)";

TEST(AutoGpuGranularity, KnowsAlongWhichLoopsReadsOverlap) {
  const Schedule schedule(sketch(kFigure4));
  EXPECT_THAT(overlapLoops(schedule, stageOf(schedule, "w"), funcOf(schedule, "k")), IsEmpty());
  EXPECT_THAT(overlapLoops(schedule, stageOf(schedule, "z"), funcOf(schedule, "w")),
              ElementsAre(1));
  // `in` does not depend on c, so it is read again in each iteration of c. The whole loop over r is
  // inside of the loop over x, so neighbouring iterations of x read overlapping elements of `in`.
  const Schedule sums(sketch(R"(
    input a 520 512
    func in(x y) 520 512 = a(x; y)
    func across(x y c) 512 512 4 = 
    update across(x y c) r:0:8 = across(x; y; c) in(x+r; y)
    output across
  )"));
  const StageId update = stageOf(sums, "across.update(0)");
  const auto &loops = sums.pipeline()->stage(update).loops;
  std::vector<std::string> names;
  for (const std::uint16_t loop : overlapLoops(sums, update, funcOf(sums, "in")))
    names.push_back(loops[loop].name);
  EXPECT_THAT(names, ElementsAre("x", "c"));
  // As Halide's scheduler compares, at one r, neighbouring x share nothing. Neighbouring r do not
  // either.
  names.clear();
  for (const std::uint16_t loop :
       overlapLoops(sums, update, funcOf(sums, "in"), AutoGpuOverlap::Paper))
    names.push_back(loops[loop].name);
  EXPECT_THAT(names, ElementsAre("c"));
}

TEST(AutoGpuGranularity, PlacesAMemberWhereNothingIsComputedAgain) {
  const AutoGpuGroup group{FuncId{2}, {FuncId{0}, FuncId{1}, FuncId{2}}, {}, {32, 8}, {true, true}};
  const auto schedule =
      withOverlappedTiles(Schedule(sketch(kFigure4)), group, AutoGpuTails::Automatic);
  ASSERT_TRUE(schedule);
  // k (func 0) is placed inside of all loops of w, because its reads overlap along none of them.
  EXPECT_EQ(nestedPlace(*schedule, group, FuncId{0}),
            Place::at(stageOf(*schedule, "w"), LoopRef{0, 0}));
  // w (func 1) would be placed outside of the threads along y. That is in the block, where it
  // already is.
  EXPECT_EQ(nestedPlace(*schedule, group, FuncId{1}), std::nullopt);
}

// Neighbouring iterations of x in the loops of out read overlapping elements of g. In the loops of
// f, no elements overlap, because f has a single point in each thread.
TEST(AutoGpuGranularity, SeesOverlapThatLoopsFurtherOutCarry) {
  const AutoGpuGroup group{FuncId{2}, {FuncId{0}, FuncId{1}, FuncId{2}}, {}, {32, 8}, {true, true}};
  auto schedule = withOverlappedTiles(Schedule(sketch(R"(
    input in 520 512
    func g(x y) 514 512 = in(x; y)
    func f(x y) 512 512 = g(x; y) g(x+1; y) g(x+2; y)
    func out(x y) 512 512 = f(x; y)
    output out
  )")),
                                      group, AutoGpuTails::Automatic);
  ASSERT_TRUE(schedule);
  const auto place = nestedPlace(*schedule, group, FuncId{1});
  EXPECT_EQ(place, Place::at(stageOf(*schedule, "out"), LoopRef{0, 1}));
  const Schedule nested = *withMemberAt(*schedule, group, FuncId{1}, *place);
  EXPECT_EQ(nestedPlace(nested, group, FuncId{0}), std::nullopt);
}

} // namespace
} // namespace tessera::search
