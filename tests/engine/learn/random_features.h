// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/training.h"

#include <cmath>
#include <memory>
#include <random>
#include <vector>

namespace tessera::learn::testing {

// Stages with features of plausible sizes: counts from one to some millions, efficiencies and
// occupancies between zero and one. Every third stage is inlined.
class RandomFeatures {
public:
  explicit RandomFeatures(std::uint64_t seed) : m_random(seed) {}

  AlgorithmPtr algorithm(std::size_t stages) {
    std::vector<AlgorithmFeatures> made(stages);
    for (AlgorithmFeatures &stage : made)
      for (float &value : stage.values)
        if (uniform() < 0.2) value = static_cast<float>(std::floor(uniform() * 10));
    return std::make_shared<const std::vector<AlgorithmFeatures>>(std::move(made));
  }

  ScheduleFeatures stage(bool isInlined) {
    using enum ScheduleFeature;
    ScheduleFeatures made;
    for (double &value : made.values)
      value = std::floor(std::exp(uniform() * 10));
    for (const ScheduleFeature of :
         {BlockOccupancy, WarpLaneUtilization, WarpLaneUtilizationY, WarpLaneUtilizationZ,
          SharedStoreEfficiency, SharedLoadEfficiency, GlobalStoreEfficiency, GlobalLoadEfficiency,
          SharedOccupancy, SharedBlockLimit, WarpOccupancy, BlockLimitOccupancy})
      made[of] = 0.1 + 0.9 * uniform();
    made[IdleLaneWastage] = 0.5 * uniform();
    if (!isInlined) made[InlinedCalls] = 0;
    return made;
  }

  Sample sample(const AlgorithmPtr &algorithm) {
    Sample made{algorithm, {}, 0.1 + 10 * uniform(), 132};
    for (std::size_t s = 0; s < algorithm->size(); ++s)
      made.stages.push_back(stage(s % 3 == 2));
    return made;
  }

  double uniform() { return std::ldexp(static_cast<double>(m_random() >> 11), -53); }

private:
  std::mt19937_64 m_random;
};

} // namespace tessera::learn::testing
