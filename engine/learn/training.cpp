// SPDX-License-Identifier: MIT
#include "engine/learn/training.h"

#include "engine/learn/network.h"
#include "engine/learn/network_pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

namespace tessera::learn {

namespace {

constexpr double kPenalty = 1e-5; // for each unit of a negative coefficient
constexpr double kLeastRelative = 1e-10;

// The stages of an algorithm in a batch, and what the loss asks of their channels.
struct AlgorithmPass {
  std::vector<std::array<double, kAlgorithmChannels>> channels, slopes;
  std::vector<StageEmbedding> embeddings;
};

class Batch {
public:
  Batch(const Weights &weights, std::span<const Sample *const> samples)
      : m_weights(weights), m_samples(samples) {
    m_fastest = samples.front()->milliseconds;
    for (const Sample *sample : samples)
      m_fastest = std::min(m_fastest, sample->milliseconds);
  }

  // With `gradient`, adds the derivatives of the loss to it.
  double loss(double *gradient) {
    double loss = 0;
    for (const Sample *sample : m_samples)
      loss += lossOf(*sample, gradient);
    if (gradient != nullptr)
      for (const auto &[algorithm, pass] : m_algorithms)
        backToAlgorithm(*algorithm, pass, gradient);
    return loss;
  }

private:
  AlgorithmPass &passOf(const std::vector<AlgorithmFeatures> &algorithm) {
    for (auto &[known, pass] : m_algorithms)
      if (known == &algorithm) return pass;
    AlgorithmPass &pass = m_algorithms.emplace_back(&algorithm, AlgorithmPass()).second;
    for (const AlgorithmFeatures &stage : algorithm) {
      pass.channels.push_back(algorithmChannels(m_weights, stage));
      pass.embeddings.push_back(embeddingOf(m_weights, pass.channels.back()));
    }
    pass.slopes.resize(algorithm.size());
    return pass;
  }

  double lossOf(const Sample &sample, double *gradient) {
    AlgorithmPass &algorithm = passOf(*sample.algorithm);
    m_passes.resize(sample.stages.size());
    m_terms.resize(sample.stages.size());
    double predicted = 0, loss = 0;
    for (std::size_t s = 0; s < sample.stages.size(); ++s) {
      forward(m_weights, algorithm.embeddings[s], sample.stages[s], m_passes[s]);
      m_terms[s] = termsOf(sample.stages[s], sample.cores);
      predicted += costOf(m_passes[s], m_terms[s]);
      for (const double sum : m_passes[s].sums)
        loss += kPenalty * std::max(0.0, -sum);
    }
    const double relative = std::max(predicted / m_fastest, kLeastRelative);
    const double difference = 1 / relative - m_fastest / sample.milliseconds;
    loss += difference * difference;
    if (gradient == nullptr) return loss;
    const bool isClamped = predicted / m_fastest <= kLeastRelative;
    const double slope = isClamped ? 0 : -2 * difference / (relative * relative) / m_fastest;
    for (std::size_t s = 0; s < sample.stages.size(); ++s)
      back(m_passes[s], m_terms[s], slope, algorithm.channels[s], algorithm.slopes[s], gradient);
    return loss;
  }

  // From the cost of a stage back to the weights of the trunk and of the schedule's layer.
  void back(const StagePass &pass, const std::array<double, kCoefficients> &terms, double slope,
            const std::array<double, kAlgorithmChannels> &channels,
            std::array<double, kAlgorithmChannels> &channelSlopes, double *gradient) const {
    std::array<double, kCoefficients> sums;
    for (std::size_t c = 0; c < kCoefficients; ++c) {
      sums[c] = slope * kCostUnit * terms[c] * activationSlope(pass.sums[c]);
      if (pass.sums[c] < 0) sums[c] -= kPenalty;
      gradient[Weights::kTrunkBias + c] += sums[c];
    }
    for (std::size_t c = 0; c < kAlgorithmChannels; ++c)
      channelSlopes[c] += backThroughTrunk(c, channels[c], sums, gradient);
    for (std::size_t c = 0; c < kScheduleChannels; ++c) {
      const double hidden =
          backThroughTrunk(kAlgorithmChannels + c, pass.hidden[c], sums, gradient);
      const double before = hidden * activationSlope(pass.before[c]);
      gradient[Weights::kScheduleBias + c] += before;
      for (std::size_t f = 0; f < kScheduleFeatures; ++f)
        gradient[Weights::kScheduleFilter + f * kScheduleChannels + c] += before * pass.logs[f];
    }
  }

  // Through the column of a channel. Returns the derivative by the channel.
  double backThroughTrunk(std::size_t channel, double value,
                          const std::array<double, kCoefficients> &sums, double *gradient) const {
    const std::size_t column = Weights::kTrunkFilter + channel * kCoefficients;
    double slope = 0;
    for (std::size_t c = 0; c < kCoefficients; ++c) {
      gradient[column + c] += sums[c] * value;
      slope += sums[c] * m_weights.values[column + c];
    }
    return slope;
  }

  void backToAlgorithm(const std::vector<AlgorithmFeatures> &algorithm, const AlgorithmPass &pass,
                       double *gradient) const {
    for (std::size_t s = 0; s < algorithm.size(); ++s) {
      for (std::size_t c = 0; c < kAlgorithmChannels; ++c)
        gradient[Weights::kAlgorithmBias + c] += pass.slopes[s][c];
      for (std::size_t f = 0; f < kAlgorithmFeatures; ++f) {
        const auto feature = static_cast<double>(algorithm[s].values[f]);
        if (feature == 0) continue;
        const std::size_t column = Weights::algorithmFilter(f);
        for (std::size_t c = 0; c < kAlgorithmChannels; ++c) {
          const double squashed = sigmoid(m_weights.values[column + c]);
          gradient[column + c] += pass.slopes[s][c] * feature * squashed * (1 - squashed);
        }
      }
    }
  }

  const Weights &m_weights;
  std::span<const Sample *const> m_samples;
  double m_fastest = 1;
  // In the order of the samples, as the sum over them depends on it. There are only some.
  std::vector<std::pair<const std::vector<AlgorithmFeatures> *, AlgorithmPass>> m_algorithms;
  std::vector<StagePass> m_passes; // of the stages of one sample
  std::vector<std::array<double, kCoefficients>> m_terms;
};

using BatchOfSamples = std::vector<const Sample *>;

// std::shuffle draws differently in other libraries.
template <typename T>
void shuffle(std::vector<T> &items, std::mt19937_64 &random) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[static_cast<std::size_t>(random() % i)]);
}

std::vector<BatchOfSamples> batchesOf(std::span<const Application> applications,
                                      const TrainingOptions &options, std::mt19937_64 &random) {
  std::vector<BatchOfSamples> batches;
  for (const Application &application : applications) {
    BatchOfSamples all;
    for (const Sample &sample : application.samples)
      all.push_back(&sample);
    shuffle(all, random);
    for (std::size_t first = 0; first < all.size(); first += options.batch) {
      const std::size_t end = std::min(all.size(), first + options.batch);
      if (end - first < options.leastBatch) continue;
      batches.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(first),
                           all.begin() + static_cast<std::ptrdiff_t>(end));
    }
  }
  shuffle(batches, random);
  return batches;
}

} // namespace

Gradient gradientOf(const Weights &weights, std::span<const Sample *const> samples) {
  Gradient gradient{0, std::vector<double>(kWeights)};
  if (!samples.empty()) gradient.loss = Batch(weights, samples).loss(gradient.values.data());
  return gradient;
}

double lossOf(const Weights &weights, std::span<const Sample *const> samples) {
  return samples.empty() ? 0 : Batch(weights, samples).loss(nullptr);
}

void Adam::step(Weights &weights, std::span<const double> gradient, double rate) {
  constexpr double kFirst = 0.9, kSecond = 0.999, kLeast = 1e-5;
  m_first.resize(kWeights);
  m_second.resize(kWeights);
  ++m_steps; // both averages begin at zero, so the first ones are too small
  const double first = 1 / (1 - std::pow(kFirst, m_steps));
  const double second = 1 / (1 - std::pow(kSecond, m_steps));
  for (std::size_t w = 0; w < kWeights; ++w) {
    m_first[w] = kFirst * m_first[w] + (1 - kFirst) * gradient[w];
    m_second[w] = kSecond * m_second[w] + (1 - kSecond) * gradient[w] * gradient[w];
    weights.values[w] -= rate * m_first[w] * first / (std::sqrt(m_second[w] * second) + kLeast);
  }
}

Weights train(std::span<const Application> applications, const TrainingOptions &options,
              const Weights *start, const std::function<bool(int, double)> &epochDone) {
  std::mt19937_64 random(options.seed);
  Weights weights = start != nullptr ? *start : randomWeights(options.seed);
  Adam adam;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    double loss = 0;
    std::size_t samples = 0;
    for (const BatchOfSamples &batch : batchesOf(applications, options, random)) {
      const Gradient gradient = gradientOf(weights, batch);
      adam.step(weights, gradient.values, options.rate);
      loss += gradient.loss;
      samples += batch.size();
    }
    const double mean = samples == 0 ? 0 : loss / static_cast<double>(samples);
    if (epochDone && !epochDone(epoch, mean)) break;
  }
  return weights;
}

} // namespace tessera::learn
