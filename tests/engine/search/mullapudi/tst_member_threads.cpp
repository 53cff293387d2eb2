// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/member_threads.h"

#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using pipeline::FuncId;
using pipeline::StageId;
using pipeline::test::sketch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MemberThreads, RunAlongTheSameNamesAndTakeTheRest) {
  const auto pipeline = sketch(R"(
    input in 64 64
    func rows(x y) 64 64 = in(x; y)
    func turned(y x) 64 64 = in(x; y)
    func channels(c x y) 3 64 64 = in(x; y)
    func line(i) 64 = in(i; 0)
    func sum(x y) 64 64 = 
    update sum(x y) r:0:8 = sum(x; y) in(x; y)
    func out(x y t) 64 64 9 = rows(x; y) turned(y; x) channels(0; x; y) line(x) sum(x; y)
    output out
  )");
  const auto loops = [&](std::uint32_t stage, const std::vector<bool> &threads) {
    return memberThreadLoops(*pipeline, FuncId{5}, threads, pipeline->stage(StageId{stage}));
  };
  const std::vector<bool> xy{true, true, false}, xt{true, false, true};
  EXPECT_THAT(loops(0, xy), ElementsAre(0, 1));
  EXPECT_THAT(loops(0, xt), ElementsAre(0, 1)); // y instead of t
  EXPECT_THAT(loops(1, xy), ElementsAre(1, 0)); // x has thread.x
  EXPECT_THAT(loops(2, xy), ElementsAre(1, 2)); // c has none
  EXPECT_THAT(loops(2, xt), ElementsAre(1, 0)); // c instead of t
  EXPECT_THAT(loops(3, xy), ElementsAre(0));
  const auto sum = loops(5, xy);
  ASSERT_EQ(sum.size(), 2U);
  EXPECT_EQ(pipeline->stage(StageId{5}).loops[sum.front()].name, "x");
  EXPECT_THAT(loops(0, {false, false, false}), IsEmpty());
}

} // namespace
} // namespace tessera::search
