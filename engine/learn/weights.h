// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/features.h"
#include "engine/base/result.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tessera::learn {

// The network's layers: 280 → 8 for the algorithm, 73 → 24 for the schedule, 8 + 24 → 32
// coefficients, of which the cost uses 29.
inline constexpr std::size_t kAlgorithmChannels = 8, kScheduleChannels = 24, kCoefficients = 32;
inline constexpr std::size_t kChannels = kAlgorithmChannels + kScheduleChannels;
inline constexpr std::size_t kWeights = kAlgorithmFeatures * kAlgorithmChannels +
                                        kAlgorithmChannels + kScheduleFeatures * kScheduleChannels +
                                        kScheduleChannels + kChannels * kCoefficients +
                                        kCoefficients; // 5,080

// The weights of the network, layer by layer as Halide's file has them: the channel that a weight
// contributes to runs fastest.
struct Weights {
  std::array<double, kWeights> values{};

  static constexpr std::size_t kAlgorithmBias = kAlgorithmFeatures * kAlgorithmChannels;
  static constexpr std::size_t kScheduleFilter = kAlgorithmBias + kAlgorithmChannels;
  static constexpr std::size_t kScheduleBias =
      kScheduleFilter + kScheduleFeatures * kScheduleChannels;
  static constexpr std::size_t kTrunkFilter = kScheduleBias + kScheduleChannels;
  static constexpr std::size_t kTrunkBias = kTrunkFilter + kChannels * kCoefficients;

  // Where the algorithm's filter has the weights of a feature. The file goes through the 40 rows
  // first, then through the types.
  static constexpr std::size_t algorithmFilter(std::size_t feature) {
    const std::size_t row = feature / kTypeClasses, type = feature % kTypeClasses;
    return (type * kAlgorithmRows + row) * kAlgorithmChannels;
  }

  friend bool operator==(const Weights &, const Weights &) = default;
};

// Weights between -0.5 and 0.5. The same seed gives the same weights on every machine.
Weights randomWeights(std::uint64_t seed);

// Halide's file of weights (NAME.weights, 20,400 bytes). Files of other networks, or of other
// versions of the features, are refused; `name` is what messages call the file.
Result<Weights> weightsFromHalide(std::string_view bytes, const std::string &name);

} // namespace tessera::learn
