// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_parameters.h"

#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/search/searched.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace tessera::search {
namespace {

AutoGpuParameters given(const std::vector<std::pair<std::string, std::string>> &values) {
  return autoGpuParameters(*parameterValues(autoGpuTable(), "autogpu", values));
}

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

// Every parameter changes something, and no two change the same.
TEST(AutoGpuParameters, AreAllDifferent) {
  std::vector<AutoGpuParameters> each{AutoGpuParameters()};
  for (const Parameter &parameter : autoGpuTable().parameters) {
    const double other = parameter.standard == parameter.most ? parameter.least : parameter.most;
    AutoGpuParameters changed = autoGpuParameters({{std::string(parameter.name), other}});
    EXPECT_THAT(each, ::testing::Not(::testing::Contains(changed))) << parameter.name;
    each.push_back(changed);
  }
  EXPECT_EQ(autoGpuParameters({}), each.front()) << "what is not given has its standard value";
}

TEST(AutoGpuParameters, HaveThePaperAndTheArtifactAsPresets) {
  EXPECT_EQ(given({{"PRESET", "paper"}}), AutoGpuParameters());
  const AutoGpuParameters artifact = given({{"PRESET", "artifact"}});
  EXPECT_EQ(artifact.loads, AutoGpuReading::Artifact);      // D1
  EXPECT_EQ(artifact.sharedCost, 1);                        // HL_GPU_SHARED_COST=1
  EXPECT_EQ(artifact.l2Cost, 200);                          // HL_GPU_L2_COST=200
  EXPECT_EQ(artifact.coalescing, AutoGpuReading::Artifact); // D2
  EXPECT_EQ(artifact.severe, AutoGpuReading::Artifact);     // D3
  EXPECT_EQ(artifact.activeSms, AutoGpuReading::Artifact);  // D4
  EXPECT_EQ(artifact.smallGroupOccupancy, .2);
  EXPECT_EQ(artifact.occupancyThreshold, .1);
  EXPECT_EQ(artifact.tileCeiling, AutoGpuReading::Artifact); // D5
  EXPECT_EQ(artifact.overlap, AutoGpuOverlap::Paper);        // D6
  EXPECT_EQ(artifact.longestUnrolled, 4);                    // D7
  EXPECT_EQ(artifact.loopOrder, AutoGpuLoopOrder::Stride);
  EXPECT_EQ(artifact.inlining, AutoGpuInlining::Untiled); // D8
  EXPECT_EQ(artifact.registerCap, 255);
}

TEST(AutoGpuParameters, AreSetOverAPreset) {
  const AutoGpuParameters mixed =
      given({{"OVERLAP", "inner"}, {"PRESET", "artifact"}, {"LOADS", "paper"}, {"UNROLL", "8"}});
  EXPECT_EQ(mixed.overlap, AutoGpuOverlap::Inner);
  EXPECT_EQ(mixed.loads, AutoGpuReading::Paper);
  EXPECT_EQ(mixed.longestUnrolled, 8);
  EXPECT_EQ(mixed.coalescing, AutoGpuReading::Artifact);
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
