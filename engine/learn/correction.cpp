// SPDX-License-Identifier: MIT
#include "engine/learn/correction.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace tessera::learn {

namespace {

// A model that is off by more is wrong for a reason that no tree can know.
constexpr double kMostOff = 3; // as a logarithm to base two

// How much the judges' disagreement counts against what they say in the mean. Without it, one of
// the pipelines that were not learned from is ranked far worse (tests/campaigns/learned/LOG.md).
constexpr double kDoubt = 4;

struct Measured {
  const KernelRow *row;
  std::size_t application; // in alphabetical order
};

bool isMeasured(const KernelRow &row) { return row.measured > 0 && row.predicted > 0; }

std::vector<Measured> measuredIn(const LearningData &data) {
  const std::set<std::string> names = data.applicationNames();
  std::vector<Measured> all;
  for (const DataRow &row : data.rows) {
    const auto application =
        static_cast<std::size_t>(std::distance(names.begin(), names.find(row.application)));
    for (const Predicted *predicted : {&row.predicted, &row.compiled})
      for (const KernelRow &kernel : predicted->kernels)
        if (isMeasured(kernel)) all.push_back({&kernel, application});
  }
  return all;
}

// The rows for one judge: all but every n-th application, or row where there are few applications.
TreeRows rowsFor(const std::vector<Measured> &all, std::size_t judge, std::size_t judges) {
  std::map<std::size_t, double> count;
  for (const Measured &one : all)
    ++count[one.application];
  const bool byApplication = count.size() >= judges;
  TreeRows rows{.features = kKernelFeatures, .values = {}, .targets = {}, .weights = {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t part = byApplication ? all[i].application : i;
    if (judges > 1 && part % judges == judge) continue;
    const KernelRow &row = *all[i].row;
    rows.values.insert(rows.values.end(), row.features.begin(), row.features.end());
    rows.targets.push_back(static_cast<float>(
        std::clamp(std::log2(row.measured / row.predicted), -kMostOff, kMostOff)));
    rows.weights.push_back(static_cast<float>(1 / std::sqrt(count[all[i].application])));
  }
  return rows;
}

} // namespace

Corrected Correction::of(const KernelFeatures &features) const {
  if (judges.empty()) return {};
  double sum = 0, squares = 0;
  for (const BoostedTrees &judge : judges) {
    const double off = std::clamp(static_cast<double>(judge.of(features)), -kMostOff, kMostOff);
    sum += off;
    squares += off * off;
  }
  const auto count = static_cast<double>(judges.size());
  const double mean = sum / count;
  const double variance = std::max(0.0, squares / count - mean * mean);
  const double kept = variance > 0 ? mean * mean / (mean * mean + kDoubt * variance) : 1;
  return {std::exp2(kept * mean), std::exp2(std::sqrt(variance))};
}

std::vector<Corrected> correctionsOf(const Correction &correction,
                                     const cost::Prediction &prediction, bool fromAssembler,
                                     const machine::Machine &machine) {
  std::vector<Corrected> all;
  for (const auto &[load, time] : prediction.kernels)
    all.push_back(
        correction.of(kernelFeaturesOf(load, time, prediction.fromDram, fromAssembler, machine)));
  return all;
}

double correctedSeconds(const cost::Prediction &prediction, const std::vector<Corrected> &kernels) {
  double seconds = prediction.seconds;
  for (std::size_t k = 0; k < kernels.size(); ++k)
    seconds += prediction.kernels[k].time.seconds * (kernels[k].factor - 1);
  return seconds;
}

double correctedMilliseconds(const Correction &correction, const Predicted &predicted) {
  double milliseconds = predicted.milliseconds;
  for (const KernelRow &kernel : predicted.kernels)
    milliseconds += kernel.predicted * (correction.of(kernel.features).factor - 1);
  return milliseconds;
}

std::size_t measuredKernels(const LearningData &data) {
  std::size_t kernels = 0;
  for (const DataRow &row : data.rows)
    kernels += static_cast<std::size_t>(std::ranges::count_if(row.predicted.kernels, isMeasured));
  return kernels;
}

Correction learnCorrection(const LearningData &data, const CorrectionOptions &options,
                           const std::function<bool(double)> &progress) {
  const std::vector<Measured> measured = measuredIn(data);
  Correction correction{.judges = {},
                        .program = data.program,
                        .machines = data.machines(),
                        .applications = {},
                        .kernels = measuredKernels(data),
                        .seed = options.trees.seed};
  const std::set<std::string> names = data.applicationNames();
  correction.applications.assign(names.begin(), names.end());
  bool goesOn = true;
  for (std::size_t judge = 0; judge < options.judges && goesOn; ++judge) {
    TreeOptions trees = options.trees;
    trees.seed += judge;
    const auto grown = [&](int count) {
      const double part = static_cast<double>(judge) + static_cast<double>(count) / trees.trees;
      goesOn = !progress || progress(part / static_cast<double>(options.judges));
      return goesOn;
    };
    correction.judges.push_back(grow(rowsFor(measured, judge, options.judges), trees, grown));
  }
  return correction;
}

} // namespace tessera::learn
