// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/correction.h"
#include "engine/learn/learning_data.h"
#include "engine/learn/training.h"
#include "engine/learn/weights.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tessera::learn {

// How well the schedules of one application are ranked, by the learned model and by the analytic
// one.
struct Ranking {
  struct Quality {
    double correlation = 0; // Spearman's
    // What the best of the 24 that look fastest takes, divided by what the fastest takes.
    double bestOf24 = 1;
  };
  std::string application, machine;
  std::size_t rows = 0;
  Quality learned, analytic;
};

// Of each application and machine of the data, in alphabetical order.
std::vector<Ranking> rankedBy(const Weights &weights, const LearningData &data);

// The same, but each application is ranked by weights that were trained with all others: it is a
// pipeline that training has not seen. `progress` gets the part that is done; training ends early
// if it returns false, and what was ranked until then is returned.
std::vector<Ranking> heldOut(const LearningData &data, const TrainingOptions &options,
                             const std::function<bool(double)> &progress = {});

// The same two of the analytic model with a correction, which is `learned`. `compiled`: of the rows
// of which ptxas's report is known, with it.
std::vector<Ranking> rankedBy(const Correction &correction, const LearningData &data,
                              bool compiled);
// Applications with fewer schedules are learned from, but their ranking says little.
inline constexpr std::size_t kLeastRanked = 20;
struct HeldOutCorrections {
  std::vector<Ranking> predicted, compiled;
};
HeldOutCorrections heldOut(const LearningData &data, const CorrectionOptions &options,
                           const std::function<bool(double)> &progress = {});

} // namespace tessera::learn
