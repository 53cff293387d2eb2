// SPDX-License-Identifier: MIT
#include "engine/cost/stage_seconds.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace tessera::cost {
namespace {

Prediction::Kernel kernelOf(std::vector<StageLoad> stages) {
  Prediction::Kernel kernel;
  kernel.time.seconds = 3;
  kernel.load.stages = std::move(stages);
  return kernel;
}

TEST(StageSeconds, FollowTheInstructionsThatABlockIssues) {
  StageLoad often, once;
  often.bodies = 2;
  often.loads = 3;
  once.arithmetic.fp32 = 1;
  once.stores = 2;
  EXPECT_EQ(stageSecondsOf(kernelOf({often, once})), (std::vector{2.0, 1.0}));
}

TEST(StageSeconds, OfStagesThatIssueNothingAreEqual) {
  EXPECT_EQ(stageSecondsOf(kernelOf({{}, {}, {}})), (std::vector{1.0, 1.0, 1.0}));
  EXPECT_TRUE(stageSecondsOf(kernelOf({})).empty());
}

} // namespace
} // namespace tessera::cost
