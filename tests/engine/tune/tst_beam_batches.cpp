// SPDX-License-Identifier: MIT
#include "engine/tune/beam_batches.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <vector>

namespace tessera::tune {
namespace {

constexpr const char *kChain = R"(
  input in 1536 2560
  func a(x y) 1536 2558 sine = in(x; y) in(x; y+1) in(x; y+2)
  func b(x y) 1536 2556 sine = a(x; y) a(x; y+1) a(x; y+2)
  func c(x y) 1536 2554 sine = b(x; y) b(x; y+1) b(x; y+2)
  output c
)";

class BeamBatchesTest : public testing::Test {
protected:
  static search::Problem problem() {
    search::Problem problem{
        schedule::defaultSchedule(schedule::testing::scheduled(kChain, "").base()), {}};
    problem.parameters = {{"SAMPLES", 24}, {"BEAM", 4}, {"PASSES", 2}};
    return problem;
  }

  // Measures all of the next batch: a schedule takes what our model predicts.
  std::vector<schedule::Schedule> measured(BeamBatches &batches) {
    auto batch = batches.next(m_end, m_stop.get_token());
    for (const schedule::Schedule &one : batch)
      batches.learn(one, cost::predict(one, m_machine).seconds);
    return batch;
  }

  const machine::Machine m_machine;
  const std::chrono::steady_clock::time_point m_end =
      std::chrono::steady_clock::now() + std::chrono::hours(1);
  std::stop_source m_stop;
};

TEST_F(BeamBatchesTest, OneBatchIsAllUnlessThePlanSaysMore) {
  BeamBatches batches(problem(), {}, 0);
  const auto batch = batches.next(m_end, m_stop.get_token());
  ASSERT_GT(batch.size(), 5U);
  for (const schedule::Schedule &one : batch)
    EXPECT_TRUE(schedule::isLegal(one, m_machine));
  EXPECT_TRUE(batches.next(m_end, m_stop.get_token()).empty());
  EXPECT_TRUE(batches.trained().empty());
}

TEST_F(BeamBatchesTest, OfABatchThoseOfLeastCostAreMeasured) {
  const auto all = BeamBatches(problem(), {}, 0).next(m_end, m_stop.get_token());
  const auto few = BeamBatches(problem(), {.measured = 5}, 0).next(m_end, m_stop.get_token());
  ASSERT_EQ(few.size(), 5U);
  for (std::size_t i = 0; i < few.size(); ++i)
    EXPECT_EQ(few[i], all[i]);
}

// Random weights rank the first batch. The same samples of the second one come in another order
// after somebody has measured the first.
TEST_F(BeamBatchesTest, WhatWasMeasuredDecidesAboutTheNextBatch) {
  const BeamPlan plan{.batches = 2, .isTrained = true};
  BeamBatches taught(problem(), plan, 0), untaught(problem(), plan, 0);
  const auto first = measured(taught);
  EXPECT_EQ(untaught.next(m_end, m_stop.get_token()), first);
  EXPECT_NE(untaught.next(m_end, m_stop.get_token()), taught.next(m_end, m_stop.get_token()));
  EXPECT_TRUE(untaught.trained().empty());
  ASSERT_EQ(taught.trained().size(), 1U);
  const TrainedBatch &trained = taught.trained().front();
  EXPECT_EQ(trained.samples, first.size());
  EXPECT_GT(trained.bestSeconds, 0);
  EXPECT_LT(trained.loss, 0.01) << "so much as the network can tell of so few";
  EXPECT_TRUE(taught.next(m_end, m_stop.get_token()).empty());
}

TEST_F(BeamBatchesTest, GoesOnBehindWhatIsDone) {
  BeamBatches whole(problem(), {.batches = 2}, 0);
  whole.next(m_end, m_stop.get_token());
  const auto second = whole.next(m_end, m_stop.get_token());
  EXPECT_EQ(BeamBatches(problem(), {.batches = 2}, 1).next(m_end, m_stop.get_token()), second);
  EXPECT_TRUE(BeamBatches(problem(), {.batches = 2}, 2).next(m_end, m_stop.get_token()).empty());
}

TEST_F(BeamBatchesTest, EndsWhereTimeIsUpOrSomebodyStopsIt) {
  BeamBatches batches(problem(), {.batches = 2, .isTrained = true}, 0);
  EXPECT_TRUE(batches.next(std::chrono::steady_clock::now(), m_stop.get_token()).empty());
  measured(batches);
  m_stop.request_stop();
  EXPECT_TRUE(batches.next(m_end, m_stop.get_token()).empty());
  EXPECT_TRUE(batches.trained().empty());
}

} // namespace
} // namespace tessera::tune
