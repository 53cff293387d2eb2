// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/weights.h"
#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::learn {

// Weights, and where they come from.
struct TrainedWeights {
  Weights weights;
  std::string program;                   // that trained them, with its commit; empty: Halide's file
  std::vector<std::string> machines;     // on which the samples were measured
  std::vector<std::string> applications; // of which the samples are
  std::size_t samples = 0;
  std::uint64_t seed = 0;
  int epochs = 0;
  double loss = 0; // the mean of a sample, in the last epoch

  friend bool operator==(const TrainedWeights &, const TrainedWeights &) = default;
};

// The content of a file of weights: JSON, with the version of the features that the weights are
// for, and a hash by which damage is noticed.
std::string toText(const TrainedWeights &trained);

// Reads such a file, or Halide's. A file that is damaged, is something else, or has weights for
// other features is refused by `name`, which is what messages call the file.
Result<TrainedWeights> weightsFrom(std::string_view bytes, const std::string &name);

} // namespace tessera::learn
