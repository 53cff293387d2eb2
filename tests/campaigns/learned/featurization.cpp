// SPDX-License-Identifier: MIT
#include "tests/campaigns/learned/featurization.h"

#include <cstring>
#include <fstream>
#include <iterator>

namespace tessera::learn::testing {

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Featurization featurizationIn(const std::string &path) {
  constexpr std::size_t kFlags = 7; // types in use, which the network does not see
  constexpr std::size_t kFloats = kScheduleFeatures + kFlags + kAlgorithmFeatures;
  const std::string bytes = contentOf(path);
  Featurization made;
  std::vector<float> values(kFloats);
  for (std::size_t at = 0; at + kFloats * sizeof(float) <= bytes.size();
       at += kFloats * sizeof(float)) {
    std::memcpy(values.data(), bytes.data() + at, kFloats * sizeof(float));
    AlgorithmFeatures algorithm;
    ScheduleFeatures stage;
    for (std::size_t f = 0; f < kScheduleFeatures; ++f)
      stage.values[f] = static_cast<double>(values[f]);
    for (std::size_t f = 0; f < kAlgorithmFeatures; ++f)
      algorithm.values[f] = values[kScheduleFeatures + kFlags + f];
    made.algorithm.push_back(algorithm);
    made.stages.push_back(stage);
  }
  return made;
}

} // namespace tessera::learn::testing
