// SPDX-License-Identifier: MIT
// Our network against the one in Halide's plugin, with the same weights and features. Those of real
// pipelines, and Halide's own weights, are compared by tests/campaigns/learned.
#include "tests/engine/learn/plugin_network.h"

#include "engine/learn/network.h"
#include "tests/engine/learn/random_features.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::learn {
namespace {

using testing::PluginNetwork;
using testing::RandomFeatures;

// Halide's network computes in floats, and with an approximate logarithm.
constexpr double kAgreed = 1e-4;

class Plugin : public ::testing::Test {
protected:
  void SetUp() override {
    if (!m_plugin.isLoaded()) GTEST_SKIP() << m_plugin.whyNot();
  }
  PluginNetwork m_plugin{test::sourcePath(TESSERA_TEST_HALIDE_ROOT) +
                         "/lib64/libautoschedule_anderson2021.so"};
};

TEST_F(Plugin, CostsOfStagesAreOurs) {
  RandomFeatures random(21);
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    const Weights weights = randomWeights(seed);
    const AlgorithmPtr algorithm = random.algorithm(7);
    const Sample sample = random.sample(algorithm);
    const int cores = 1 + static_cast<int>(random.uniform() * 150);
    const std::vector<double> theirs = m_plugin.costs(weights, *algorithm, sample.stages, cores);
    const Network network(weights);
    const std::vector<double> ours = network.costs(network.embed(*algorithm), sample.stages, cores);
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t s = 0; s < ours.size(); ++s) {
      EXPECT_GT(std::abs(theirs[s]), 0);
      EXPECT_NEAR(ours[s], theirs[s], kAgreed * std::abs(theirs[s])) << seed << " stage " << s;
    }
  }
}

TEST_F(Plugin, GradientAndFirstStepAreOurs) {
  constexpr double kRate = 1e-3;
  RandomFeatures random(22);
  const Weights weights = randomWeights(9);
  const Network network(weights);
  const AlgorithmPtr algorithm = random.algorithm(5);
  std::vector<Sample> samples;
  std::vector<const Sample *> batch;
  for (int n = 0; n < 16; ++n)
    samples.push_back(random.sample(algorithm));
  for (Sample &sample : samples) {
    const std::vector<double> costs =
        network.costs(network.embed(*algorithm), sample.stages, sample.cores);
    sample.milliseconds =
        std::accumulate(costs.begin(), costs.end(), 0.0) * (0.5 + random.uniform());
    batch.push_back(&sample);
  }
  const PluginNetwork::Step theirs = m_plugin.train(weights, batch, kRate);
  const Gradient ours = gradientOf(weights, batch);
  EXPECT_NEAR(ours.loss, theirs.loss, kAgreed * theirs.loss);
  double largest = 0;
  for (const double value : ours.values)
    largest = std::max(largest, std::abs(value));
  ASSERT_GT(largest, 0);
  for (std::size_t w = 0; w < kWeights; ++w)
    ASSERT_NEAR(ours.values[w], theirs.gradient[w], 1e-3 * largest) << w;
  Weights stepped = weights;
  Adam().step(stepped, theirs.gradient, kRate);
  for (std::size_t w = 0; w < kWeights; ++w)
    ASSERT_NEAR(stepped.values[w], theirs.weights.values[w], 1e-6) << w;
}

} // namespace
} // namespace tessera::learn
