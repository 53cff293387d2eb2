// SPDX-License-Identifier: MIT
#include "engine/learn/held_out.h"

#include "engine/learn/network.h"
#include "tests/engine/learn/random_features.h"

#include <gmock/gmock.h>

#include <numeric>

namespace tessera::learn {
namespace {

// Schedules whose times are what the network says with `teacher`.
LearningData taught(const Weights &teacher, const std::vector<std::string> &applications) {
  testing::RandomFeatures random(3);
  const Network network(teacher);
  LearningData data;
  for (const std::string &application : applications) {
    const AlgorithmPtr algorithm = random.algorithm(3);
    for (int i = 0; i < 32; ++i) {
      DataRow row{.application = application, .machine = "NVIDIA H200", .sample = {}};
      row.sample = random.sample(algorithm);
      const std::vector<double> costs =
          network.costs(network.embed(*algorithm), row.sample.stages, row.sample.cores);
      row.sample.milliseconds = std::accumulate(costs.begin(), costs.end(), 0.0);
      row.predicted.milliseconds = 1 / row.sample.milliseconds; // the wrong way round
      data.rows.push_back(row);
    }
  }
  return data;
}

TEST(HeldOut, TheTeachersWeightsRankWithoutAMistake) {
  const Weights teacher = randomWeights(4);
  const std::vector<Ranking> rankings = rankedBy(teacher, taught(teacher, {"one", "two"}));
  ASSERT_EQ(rankings.size(), 2U);
  for (const Ranking &ranking : rankings) {
    EXPECT_EQ(ranking.rows, 32U);
    EXPECT_DOUBLE_EQ(ranking.learned.correlation, 1);
    EXPECT_DOUBLE_EQ(ranking.learned.bestOf24, 1);
    EXPECT_DOUBLE_EQ(ranking.analytic.correlation, -1);
    EXPECT_GT(ranking.analytic.bestOf24, 1);
  }
  EXPECT_EQ(rankings[0].application, "one");
}

TEST(HeldOut, AnApplicationIsRankedByWhatTheOthersTaught) {
  const LearningData data = taught(randomWeights(4), {"one", "two", "three"});
  const TrainingOptions options{.epochs = 4, .seed = 4};
  const std::vector<Ranking> rankings = heldOut(data, options);
  ASSERT_EQ(rankings.size(), 3U);
  // The same as training by hand without it.
  std::vector<Application> others = data.applications();
  std::erase_if(others, [](const Application &one) { return one.name == "two"; });
  const std::vector<Ranking> byHand = rankedBy(train(others, options), data);
  for (const Ranking &ranking : rankings)
    if (ranking.application == "two")
      EXPECT_EQ(ranking.learned.correlation, byHand.back().learned.correlation);
  EXPECT_EQ(byHand.back().application, "two");
}

TEST(HeldOut, EndsWhenItIsTold) {
  const LearningData data = taught(randomWeights(4), {"one", "two", "three"});
  std::vector<double> parts;
  const std::vector<Ranking> rankings = heldOut(data, {.epochs = 2}, [&](double part) {
    parts.push_back(part);
    return parts.size() < 3; // in the middle of the second application
  });
  EXPECT_EQ(rankings.size(), 1U);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_DOUBLE_EQ(parts[0], 1.0 / 6);
  EXPECT_DOUBLE_EQ(parts[2], 3.0 / 6);
}

} // namespace
} // namespace tessera::learn
