// SPDX-License-Identifier: MIT
#include "engine/learn/network.h"

#include "tests/engine/learn/random_features.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

namespace tessera::learn {
namespace {

using enum ScheduleFeature;
using testing::RandomFeatures;

// A stage with a kernel of 4 blocks of 64 threads, of which each computes two points.
ScheduleFeatures kernelOf(double idle) {
  ScheduleFeatures f;
  f[Realizations] = f[Productions] = 1;
  f[Scalars] = 512;
  f[Blocks] = 4;
  f[ThreadsPerBlock] = 64;
  f[PointsPerThread] = 2;
  f[InnerParallelism] = 4;
  f[OuterParallelism] = 1;
  f[IdleLaneWastage] = idle;
  f[GlobalLoadsPerBlock] = 10;
  f[GlobalLoadEfficiency] = 0.5;
  f[SharedLoadsPerBlock] = 6;
  f[SharedLoadEfficiency] = 0.25;
  f[GlobalStoresPerBlock] = 3;
  f[GlobalStoreEfficiency] = 0.75;
  f[GlobalInnermostBytesAtTask] = 128;
  return f;
}

TEST(Network, TermsAreThoseOfAppendixB) {
  const auto terms = termsOf(kernelOf(0.2), 3); // four tasks on three cores: 2 / (4/3) = 1.5
  EXPECT_DOUBLE_EQ(terms[1], 512 * 1.5 / 0.8);
  EXPECT_DOUBLE_EQ(terms[19], 4 * 64 * 2 * 1.5 / 0.8);
  EXPECT_DOUBLE_EQ(terms[3], 0);
  EXPECT_DOUBLE_EQ(terms[28], 4 * 10 / 0.5);
  EXPECT_DOUBLE_EQ(terms[27], 4 * 6); // the efficiency is not in it, see termsOf()
  EXPECT_DOUBLE_EQ(terms[21], 4 * 3 / 0.75);
  EXPECT_DOUBLE_EQ(terms[22], 512 / 128.0);
  EXPECT_DOUBLE_EQ(terms[25], 1);
  EXPECT_DOUBLE_EQ(terms[26], 3);
  EXPECT_DOUBLE_EQ(terms[23] + terms[30] + terms[31], 0); // not used
}

TEST(Network, InlinedStagesHaveCoefficientsOfTheirOwn) {
  ScheduleFeatures f = kernelOf(0.2);
  f[InlinedCalls] = 512;
  const auto terms = termsOf(f, 3);
  EXPECT_DOUBLE_EQ(terms[1], 0);
  EXPECT_DOUBLE_EQ(terms[3], 512 * 1.5);
  EXPECT_DOUBLE_EQ(terms[4], 512 * 1.5);
  EXPECT_DOUBLE_EQ(terms[28], 40);
  EXPECT_DOUBLE_EQ(terms[21], 12);
}

// Worked out by hand: all weights are zero but those of one path through each layer.
TEST(Network, FollowsEachLayer) {
  Weights weights;
  const auto filter = [&](std::size_t channel, std::size_t coefficient) -> double & {
    return weights.values[Weights::kTrunkFilter + channel * kCoefficients + coefficient];
  };
  AlgorithmFeatures algorithm;
  algorithm.at(ExpressionKind::Add, TypeClass::Float) = 6;
  weights.values[Weights::kAlgorithmBias] = 1; // channel 0: 1 + 6 · sigmoid(0) = 4
  filter(0, 1) = 2;                            // c1: 8 …
  weights.values[Weights::kTrunkBias + 1] = 5; // … + 5 …
  const auto feature = static_cast<std::size_t>(Blocks);
  weights.values[Weights::kScheduleFilter + feature * kScheduleChannels] = 3;
  filter(kAlgorithmChannels, 1) = 1;             // … + 3 · log(1 + 4)
  weights.values[Weights::kTrunkBias + 19] = -7; // below zero, so it costs nothing
  const Network network(weights);
  const double expected = 512 * 1.5 * (8 + 5 + 3 * std::log(5.0)) * 1e-9;
  EXPECT_NEAR(network.cost(network.embed(algorithm), kernelOf(0), 3), expected, 1e-15);
}

TEST(Network, CostsOfStagesAreIndependent) {
  RandomFeatures random(5);
  const AlgorithmPtr algorithm = random.algorithm(6);
  const Sample sample = random.sample(algorithm);
  const Network network(randomWeights(3));
  const std::vector<StageEmbedding> embeddings = network.embed(*algorithm);
  const std::vector<double> costs = network.costs(embeddings, sample.stages, 132);
  ASSERT_EQ(costs.size(), 6U);
  for (std::size_t s = 0; s < costs.size(); ++s)
    EXPECT_EQ(costs[s], network.cost(embeddings[s], sample.stages[s], 132));
}

} // namespace
} // namespace tessera::learn
