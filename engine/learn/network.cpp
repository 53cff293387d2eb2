// SPDX-License-Identifier: MIT
#include "engine/learn/network.h"

#include "engine/learn/network_pass.h"

#include <algorithm>
#include <cmath>

namespace tessera::learn {

namespace {

// Adds `factor` times a column of weights. The channels of a column lie side by side.
template <std::size_t N>
void addColumn(std::array<double, N> &to, const double *column, double factor) {
  for (std::size_t c = 0; c < N; ++c)
    to[c] += factor * column[c];
}

} // namespace

double sigmoid(double value) { return 1 / (1 + std::exp(-value)); }

std::array<double, kAlgorithmChannels> algorithmChannels(const Weights &weights,
                                                         const AlgorithmFeatures &features) {
  std::array<double, kAlgorithmChannels> channels{};
  const double *const values = weights.values.data();
  std::copy_n(values + Weights::kAlgorithmBias, kAlgorithmChannels, channels.begin());
  for (std::size_t f = 0; f < kAlgorithmFeatures; ++f) {
    if (features.values[f] == 0) continue; // most are
    const double *const column = values + Weights::algorithmFilter(f);
    for (std::size_t c = 0; c < kAlgorithmChannels; ++c)
      channels[c] += static_cast<double>(features.values[f]) * sigmoid(column[c]);
  }
  return channels;
}

StageEmbedding embeddingOf(const Weights &weights,
                           const std::array<double, kAlgorithmChannels> &channels) {
  StageEmbedding embedding;
  const double *const values = weights.values.data();
  std::copy_n(values + Weights::kTrunkBias, kCoefficients, embedding.begin());
  for (std::size_t c = 0; c < kAlgorithmChannels; ++c)
    addColumn(embedding, values + Weights::kTrunkFilter + c * kCoefficients, channels[c]);
  return embedding;
}

void forward(const Weights &weights, const StageEmbedding &embedding,
             const ScheduleFeatures &features, StagePass &pass) {
  const double *const values = weights.values.data();
  std::copy_n(values + Weights::kScheduleBias, kScheduleChannels, pass.before.begin());
  for (std::size_t f = 0; f < kScheduleFeatures; ++f) {
    pass.logs[f] = std::log1p(features.values[f]);
    addColumn(pass.before, values + Weights::kScheduleFilter + f * kScheduleChannels, pass.logs[f]);
  }
  pass.sums = embedding;
  for (std::size_t c = 0; c < kScheduleChannels; ++c) {
    pass.hidden[c] = activated(pass.before[c]);
    addColumn(pass.sums, values + Weights::kTrunkFilter + (kAlgorithmChannels + c) * kCoefficients,
              pass.hidden[c]);
  }
}

double costOf(const StagePass &pass, std::span<const double, kCoefficients> terms) {
  double cost = 0;
  for (std::size_t c = 0; c < kCoefficients; ++c)
    cost += activated(pass.sums[c]) * terms[c];
  return cost * kCostUnit;
}

std::array<double, kCoefficients> termsOf(const ScheduleFeatures &f, std::int64_t cores) {
  using enum ScheduleFeature;
  const bool isInlined = f[InlinedCalls] != 0;
  const double blocks = std::max(1.0, f[Blocks]);
  const double threads = blocks * f[ThreadsPerBlock];
  const double points = threads * f[PointsPerThread];
  const double tasks = std::max(1.0, f[InnerParallelism] * f[OuterParallelism]);
  const double tasksPerCore = tasks / static_cast<double>(cores);
  const double idle = std::ceil(tasksPerCore) / std::max(1.0, tasksPerCore);
  const double compute = idle / (isInlined ? 1 : 1 - f[IdleLaneWastage]);
  const auto efficiency = [&](ScheduleFeature of) { return isInlined ? 1 : 1 / f[of]; };

  std::array<double, kCoefficients> terms{};
  terms[isInlined ? 3 : 1] = f[Scalars] * compute;
  terms[isInlined ? 4 : 19] = points * compute;

  terms[5] = f[Realizations] * f[GlobalLinesPerRealization];
  terms[16] = f[Realizations] * f[SharedLinesPerRealization];
  terms[8] = f[Realizations] * f[RegisterLinesPerRealization];
  terms[6] = f[Realizations] * f[GlobalBytesPerRealization];
  terms[20] = f[Realizations] * f[SharedBytesPerRealization];
  terms[7] = f[Realizations] * f[RegisterBytesPerRealization];
  // The paper prints `num_realizations` before what a thread reads as well. The plugin multiplies
  // by the number of threads, and its weights were learned so.
  terms[18] = threads * f[GlobalLinesPerThread];
  terms[17] = threads * f[SharedLinesPerThread];
  terms[2] = threads * f[RegisterLinesPerThread];
  terms[13] = threads * f[GlobalBytesPerThread];
  terms[11] = threads * f[SharedBytesPerThread];
  terms[0] = threads * f[RegisterBytesPerThread];
  terms[10] = f[Scalars] * f[BytesPerPoint];
  terms[12] = f[Scalars] * f[LinesPerPoint];
  terms[14] = tasks * f[BytesPerTask];
  terms[15] = tasks * f[LinesPerTask];
  // In print these two have no coefficient, and loads from shared memory are divided by their
  // efficiency. Here they are as in the plugin: its counts of shared loads have bank conflicts in
  // them already.
  terms[28] = blocks * f[GlobalLoadsPerBlock] * efficiency(GlobalLoadEfficiency);
  terms[27] = blocks * f[SharedLoadsPerBlock];

  terms[29] = blocks * f[SharedStoresPerBlock];
  terms[21] = blocks * f[GlobalStoresPerBlock] * efficiency(GlobalStoreEfficiency);
  const bool isParallel = f[InnerParallelism] > 1;
  if (isParallel) terms[22] = f[Scalars] / std::max(1.0, f[GlobalInnermostBytesAtTask]);

  terms[24] = f[Realizations];
  if (isParallel) terms[25] = f[Productions];
  terms[26] = f[Productions] * (f[InnerParallelism] - 1);
  terms[9] = f[WorkingSet];
  return terms; // 23, 30 and 31 stay zero
}

Network::Network(const Weights &weights) : m_weights(weights) {}

StageEmbedding Network::embed(const AlgorithmFeatures &features) const {
  return embeddingOf(m_weights, algorithmChannels(m_weights, features));
}

std::vector<StageEmbedding> Network::embed(std::span<const AlgorithmFeatures> stages) const {
  std::vector<StageEmbedding> embeddings;
  embeddings.reserve(stages.size());
  for (const AlgorithmFeatures &stage : stages)
    embeddings.push_back(embed(stage));
  return embeddings;
}

double Network::cost(const StageEmbedding &embedding, const ScheduleFeatures &features,
                     std::int64_t cores) const {
  StagePass pass;
  forward(m_weights, embedding, features, pass);
  return costOf(pass, termsOf(features, cores));
}

std::vector<double> Network::costs(std::span<const StageEmbedding> embeddings,
                                   std::span<const ScheduleFeatures> stages,
                                   std::int64_t cores) const {
  std::vector<double> costs;
  costs.reserve(stages.size());
  for (std::size_t s = 0; s < stages.size(); ++s)
    costs.push_back(cost(embeddings[s], stages[s], cores));
  return costs;
}

} // namespace tessera::learn
