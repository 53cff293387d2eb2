// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/network.h"

#include <array>
#include <span>

namespace tessera::learn {

// Intermediate values of one stage on the way from features to coefficients. Network needs the
// result, and training goes back through all of them.
struct StagePass {
  std::array<double, kScheduleFeatures> logs{};             // log(1 + feature)
  std::array<double, kScheduleChannels> hidden{}, before{}; // after and before the activation
  std::array<double, kCoefficients> sums{};                 // coefficients before the activation
};

// A leaky rectifier. The slope below zero only keeps derivatives from vanishing.
inline constexpr double kLeak = 1e-10;
inline double activated(double value) { return value > 0 ? value : value * kLeak; }
inline double activationSlope(double value) { return value > 0 ? 1 : kLeak; }

// Costs are multiplied by this, so that weights are of a size that is good to learn.
inline constexpr double kCostUnit = 1e-9;

double sigmoid(double value);

// The channels of an algorithm: a bias, and features weighted between 0 and 1.
std::array<double, kAlgorithmChannels> algorithmChannels(const Weights &weights,
                                                         const AlgorithmFeatures &features);
// What these channels contribute to the coefficients, with the bias of the coefficients.
StageEmbedding embeddingOf(const Weights &weights,
                           const std::array<double, kAlgorithmChannels> &channels);
void forward(const Weights &weights, const StageEmbedding &embedding,
             const ScheduleFeatures &features, StagePass &pass);
double costOf(const StagePass &pass, std::span<const double, kCoefficients> terms);

} // namespace tessera::learn
