// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/features.h"
#include "engine/learn/weights.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::learn {

// What the algorithm of a stage contributes to its coefficients. It is the same for all schedules
// of a pipeline.
using StageEmbedding = std::array<double, kCoefficients>;

// By what each coefficient is multiplied: appendix B of the paper as a sum of products. `cores` are
// the machine's multiprocessors.
std::array<double, kCoefficients> termsOf(const ScheduleFeatures &features, std::int64_t cores);

// The cost model of Anderson et al. 2021, section 7.2: a network finds coefficients from the
// features of a stage, and the cost is the sum of products of coefficients and terms. Costs have
// the unit of the times that the network was trained with: milliseconds.
//
// A network does not change, so any number of threads may use one.
class Network {
public:
  explicit Network(const Weights &weights);

  StageEmbedding embed(const AlgorithmFeatures &features) const;
  std::vector<StageEmbedding> embed(std::span<const AlgorithmFeatures> stages) const;

  double cost(const StageEmbedding &embedding, const ScheduleFeatures &features,
              std::int64_t cores) const;
  // Of each stage. `embeddings` and `stages` have the same order.
  std::vector<double> costs(std::span<const StageEmbedding> embeddings,
                            std::span<const ScheduleFeatures> stages, std::int64_t cores) const;

  const Weights &weights() const { return m_weights; }

private:
  Weights m_weights;
};

} // namespace tessera::learn
