// SPDX-License-Identifier: MIT
#include "engine/learn/training.h"

#include "engine/learn/network.h"
#include "tests/engine/learn/random_features.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::learn {
namespace {

using testing::RandomFeatures;

double predictedBy(const Weights &weights, const Sample &sample) {
  const Network network(weights);
  const std::vector<double> costs =
      network.costs(network.embed(*sample.algorithm), sample.stages, sample.cores);
  return std::accumulate(costs.begin(), costs.end(), 0.0);
}

// Samples of two algorithms whose times are near to what some weights predict, so that every part
// of the loss counts.
std::vector<Sample> samplesNear(const Weights &weights, std::size_t count) {
  RandomFeatures random(11);
  const AlgorithmPtr one = random.algorithm(4), other = random.algorithm(5);
  std::vector<Sample> samples;
  for (std::size_t s = 0; s < count; ++s) {
    Sample sample = random.sample(s % 2 == 0 ? one : other);
    sample.milliseconds = predictedBy(weights, sample) * (0.5 + random.uniform());
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::vector<const Sample *> pointersTo(const std::vector<Sample> &samples) {
  std::vector<const Sample *> pointers;
  for (const Sample &sample : samples)
    pointers.push_back(&sample);
  return pointers;
}

// The derivative by each weight against the difference of two losses. A rectifier has no derivative
// at zero, so weights whose step crosses it are looked at with a smaller step.
TEST(Training, GradientsAgreeWithFiniteDifferences) {
  const Weights weights = randomWeights(2);
  const std::vector<Sample> samples = samplesNear(weights, 4);
  const std::vector<const Sample *> batch = pointersTo(samples);
  const Gradient gradient = gradientOf(weights, batch);
  EXPECT_DOUBLE_EQ(gradient.loss, lossOf(weights, batch));
  double largest = 0;
  for (const double value : gradient.values)
    largest = std::max(largest, std::abs(value));
  ASSERT_GT(largest, 0.01);
  const auto differenceAt = [&](std::size_t w, double step) {
    Weights above = weights, below = weights;
    above.values[w] += step;
    below.values[w] -= step;
    return (lossOf(above, batch) - lossOf(below, batch)) / (2 * step);
  };
  std::size_t moved = 0;
  double worst = 0;
  for (std::size_t w = 0; w < kWeights; ++w) {
    const double scale = std::max(std::abs(gradient.values[w]), 1e-3 * largest);
    double error = 1;
    for (const double step : {1e-5, 1e-6, 1e-7}) {
      error = std::min(error, std::abs(differenceAt(w, step) - gradient.values[w]) / scale);
      if (error < 1e-5) break;
    }
    worst = std::max(worst, error);
    moved += gradient.values[w] != 0 ? 1 : 0;
  }
  EXPECT_LE(worst, 1e-4);
  EXPECT_GT(moved, kWeights / 2); // not a comparison of zeros
}

TEST(Training, TheLossIsOfRelativeThroughput) {
  const Weights weights = randomWeights(2);
  std::vector<Sample> samples = samplesNear(weights, 2);
  const double first = predictedBy(weights, samples[0]), other = predictedBy(weights, samples[1]);
  samples[0].milliseconds = 2 * first; // predicted twice as fast as it is
  samples[1].milliseconds = 8 * other;
  const double fastest = std::min(2 * first, 8 * other);
  const auto squared = [&](double predicted, double measured) {
    return std::pow(fastest / predicted - fastest / measured, 2);
  };
  const double expected = squared(first, 2 * first) + squared(other, 8 * other);
  // What is more is the penalty of negative coefficients, a hundred-thousandth for each unit.
  const double loss = lossOf(weights, pointersTo(samples));
  EXPECT_GT(loss, expected);
  EXPECT_LT(loss, expected + 9 * 32 * 1e-5 * 100);
}

TEST(Training, AdamTakesTheStepsOfItsPaper) {
  Weights weights;
  Adam adam;
  std::vector<double> gradient(kWeights);
  gradient[3] = 4;
  gradient[5] = -4;
  adam.step(weights, gradient, 0.1);
  EXPECT_NEAR(weights.values[3], -0.1, 1e-6); // the first step has the length of the rate
  EXPECT_NEAR(weights.values[5], 0.1, 1e-6);
  EXPECT_EQ(weights.values[4], 0);
  std::fill(gradient.begin(), gradient.end(), 0);
  adam.step(weights, gradient, 0.1);
  const double first = 0.9 * 0.4 / (1 - 0.81), second = 0.999 * 0.016 / (1 - 0.999 * 0.999);
  EXPECT_NEAR(weights.values[3], -0.1 - 0.1 * first / std::sqrt(second), 1e-6);
}

// Times that other weights predict can be learned: what was not seen is ranked, too.
TEST(Training, LearnsWhatOtherWeightsPredict) {
  const Weights taught = randomWeights(77);
  RandomFeatures random(4);
  Application application{"taught", {}};
  const AlgorithmPtr algorithm = random.algorithm(3);
  for (int s = 0; s < 96; ++s) {
    Sample sample = random.sample(algorithm);
    sample.milliseconds = predictedBy(taught, sample);
    if (sample.milliseconds > 1e-9) application.samples.push_back(std::move(sample));
  }
  ASSERT_GT(application.samples.size(), 80U);
  std::vector<double> losses;
  TrainingOptions options;
  options.epochs = 30;
  options.seed = 5;
  const auto keep = [&](int, double loss) {
    losses.push_back(loss);
    return true;
  };
  const Weights learned = train({&application, 1}, options, nullptr, keep);
  ASSERT_EQ(losses.size(), 30U);
  EXPECT_LT(losses.back(), losses.front() / 2);
  EXPECT_EQ(train({&application, 1}, options), learned); // the same bytes again
  options.seed = 6;
  EXPECT_NE(train({&application, 1}, options), learned);
}

// Schedules that add funcs have an algorithm of their own, wherever that lies in memory.
TEST(Training, DoesNotDependOnAddresses) {
  constexpr std::size_t kAlgorithms = 6;
  const auto learned = [](bool isReversed) {
    std::vector<AlgorithmPtr> algorithms(kAlgorithms);
    std::vector<std::shared_ptr<std::vector<AlgorithmFeatures>>> places;
    for (std::size_t a = 0; a < kAlgorithms; ++a)
      places.push_back(std::make_shared<std::vector<AlgorithmFeatures>>());
    std::ranges::sort(places);
    if (isReversed) std::ranges::reverse(places);
    RandomFeatures random(9);
    for (std::size_t a = 0; a < kAlgorithms; ++a) {
      *places[a] = *random.algorithm(2);
      algorithms[a] = places[a];
    }
    Application application{"several", {}};
    for (std::size_t s = 0; s < 4 * kAlgorithms; ++s)
      application.samples.push_back(random.sample(algorithms[s % kAlgorithms]));
    return train({&application, 1}, {.epochs = 3});
  };
  EXPECT_EQ(learned(false), learned(true));
}

TEST(Training, EndsWhereItIsTold) {
  RandomFeatures random(4);
  Application application{"few", {}};
  const AlgorithmPtr algorithm = random.algorithm(1);
  for (int s = 0; s < 12; ++s)
    application.samples.push_back(random.sample(algorithm));
  int epochs = 0;
  train({&application, 1}, {}, nullptr, [&](int, double) { return ++epochs < 3; });
  EXPECT_EQ(epochs, 3);
  application.samples.resize(8); // fewer than TrainingOptions::leastBatch teach nothing
  EXPECT_EQ(train({&application, 1}, {}), randomWeights(TrainingOptions{}.seed));
}

} // namespace
} // namespace tessera::learn
