// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/boosted_trees.h"
#include "engine/learn/learning_data.h"
#include "engine/cost/prediction.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tessera::learn {

// What a predicted time is multiplied by, and how sure that is.
struct Corrected {
  double factor = 1;
  double spread = 1; // the times of those who judge differ by this factor, up and down; 1: agreed
};

// Says how far the analytic model is off for a kernel, learned from kernels that were measured. The
// model still says why. Several groups of trees judge, each grown without some of the applications:
// the more these disagree, the less is corrected.
struct Correction {
  std::vector<BoostedTrees> judges;
  std::string program;                             // that grew them, with its commit
  std::vector<std::string> machines, applications; // of the kernels
  std::size_t kernels = 0;
  std::uint64_t seed = 0;

  Corrected of(const KernelFeatures &features) const;

  friend bool operator==(const Correction &, const Correction &) = default;
};

// The corrections of a prediction's kernels, in their order. `fromAssembler`: see
// kernelFeaturesOf().
std::vector<Corrected> correctionsOf(const Correction &correction,
                                     const cost::Prediction &prediction, bool fromAssembler,
                                     const machine::Machine &machine);
// The predicted seconds of the whole with its kernels' corrections.
double correctedSeconds(const cost::Prediction &prediction, const std::vector<Corrected> &kernels);
// The same of a row, in milliseconds.
double correctedMilliseconds(const Correction &correction, const Predicted &predicted);

struct CorrectionOptions {
  TreeOptions trees;
  std::size_t judges = 4;
};
// Kernels of which the time is known, once as a search predicts them and once with what ptxas
// reported. Each application counts as much as the root of its kernels. `progress` gets the part
// that is done; growing ends early if it returns false.
Correction learnCorrection(const LearningData &data, const CorrectionOptions &options,
                           const std::function<bool(double)> &progress = {});
std::size_t measuredKernels(const LearningData &data); // that can be learned from

} // namespace tessera::learn
