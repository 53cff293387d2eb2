// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_parameters.h"

#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/search/searched.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

TEST(AutoGpuParameters, AreSetByName) {
  const AutoGpuParameters usual;
  const AutoGpuParameters other = autoGpuParameters({{"BALANCE", 50},
                                                     {"TRANSACTION_BYTES", 64},
                                                     {"OCCUPANCY_THRESHOLD", .25},
                                                     {"REGISTERS", 32}});
  EXPECT_EQ(other.balance, 50);
  EXPECT_EQ(other.transactionBytes, 64);
  EXPECT_EQ(other.occupancyThreshold, .25);
  EXPECT_EQ(other.registers, 32);
  const AutoGpuParameters same = autoGpuParameters({});
  EXPECT_EQ(same.balance, usual.balance);
  EXPECT_EQ(autoGpuTable().parameters.front().standard, usual.balance);
}

// Where memory costs nothing, nothing is gained by computing a stencil in another's blocks.
TEST(AutoGpuParameters, ReachTheSearch) {
  const auto pipeline = pipeline::test::sketch(R"(
    input in 1544 2568
    func blur(x y) 1540 2564 = in(x+0; y+0) in(x+1; y+0) in(x+2; y+0) in(x+0; y+1) in(x+1; y+1) in(x+2; y+1) in(x+0; y+2) in(x+1; y+2) in(x+2; y+2)
    func out(x y) 1536 2560 = blur(x+0; y+0) blur(x+1; y+0) blur(x+2; y+0) blur(x+0; y+1) blur(x+1; y+1) blur(x+2; y+1) blur(x+0; y+2) blur(x+1; y+2) blur(x+2; y+2)
    output out
  )");
  Problem problem{schedule::defaultSchedule(pipeline), {}};
  const auto isFused = [&] {
    const Candidate best = testing::searched(problem, "autogpu-overlap").best;
    return best.schedule.plan(pipeline::FuncId{0}).compute.kind == schedule::Place::Kind::At;
  };
  EXPECT_TRUE(isFused());
  problem.parameters = {{"BALANCE", 0}};
  EXPECT_FALSE(isFused());
}

} // namespace
} // namespace tessera::search
