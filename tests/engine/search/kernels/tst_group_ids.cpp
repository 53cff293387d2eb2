// SPDX-License-Identifier: MIT
#include "engine/search/kernels/group.h"

#include "engine/search/kernels/tile_dims.h"
#include "engine/search/kernels/written_tile.h"
#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"

#include <gtest/gtest.h>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using schedule::Schedule;

TEST(Group, FuncsAreListedByNumberWithTheOutput) {
  const Group group{FuncId{2}, {}, {{FuncId{0}}, {FuncId{3}, Placement::Thread}}};
  EXPECT_EQ(group.funcs(), (std::vector{FuncId{0}, FuncId{2}, FuncId{3}}));
  ASSERT_NE(group.find(FuncId{3}), nullptr);
  EXPECT_EQ(group.find(FuncId{3})->placement, Placement::Thread);
  EXPECT_EQ(group.find(FuncId{2}), nullptr) << "the output is no member";
}

TEST(Group, IsRefusedWhereReadersAreInTwoKernels) {
  const Schedule start =
      schedule::defaultSchedule(pipeline::test::sketch("input in 512 256\n"
                                                       "func f(x y) 512 256 = in(x; y)\n"
                                                       "func g(x y) 512 256 = f(x; y)\n"
                                                       "func h(x y) 512 256 = f(x; y)\n"
                                                       "output g\noutput h\n"));
  const FuncId f{0}, h{2};
  for (const Placement placement : {Placement::Block, Placement::Thread})
    EXPECT_FALSE(withGroup(start, {h, Tile{}, {{f, placement}}, start.pipeline()->ids()}));
}

// An added func that is inlined is in no kernel, but the ids of all later funcs are other ones.
TEST(Group, IsNotUsedWithAnotherPipeline) {
  const Schedule plain =
      schedule::defaultSchedule(pipeline::test::sketch("input in 512 256\n"
                                                       "func f(x y) 512 256 = in(x; y)\n"
                                                       "func g(x y) 512 256 = f(x; y) f(x+1; y)\n"
                                                       "output g\n"));
  Schedule added = plain;
  ASSERT_TRUE(added.add(schedule::Wrapper{"f_copy", "f", {"g"}}));
  Group group = groupsOf(added).back();
  group.tile = Tile{};
  ASSERT_TRUE(withGroup(added, group));
  EXPECT_THROW((void)withGroup(plain, group), pipeline::ForeignId);
  EXPECT_THROW((void)tilesFor(plain, group, TileEffort::Few), pipeline::ForeignId);
  EXPECT_THROW((void)tilesNear(*plain.pipeline(), group, Tile{}), pipeline::ForeignId);
  EXPECT_THROW((void)tileOf(plain, group), pipeline::ForeignId);
  EXPECT_THROW((void)effective(*plain.pipeline(), group, Tile{}, {}), pipeline::ForeignId);
  schedule::Schedule frozen = added;
  frozen.setMark({group.output, 0, schedule::DecisionKind::Order, 0},
                 {schedule::Origin::User, true});
  EXPECT_THROW((void)withGroup(plain, groupsOf(plain).back(), FrozenDecisions(frozen)),
               pipeline::ForeignId);
}

} // namespace
} // namespace tessera::search
