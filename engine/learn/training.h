// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/features.h"
#include "engine/learn/weights.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tessera::learn {

using AlgorithmPtr = std::shared_ptr<const std::vector<AlgorithmFeatures>>;

// A schedule that was measured. Schedules with the same stages share the features of these.
struct Sample {
  AlgorithmPtr algorithm;               // by stage
  std::vector<ScheduleFeatures> stages; // likewise
  double milliseconds = 0;              // more than 0
  std::int64_t cores = 1;               // multiprocessors of the GPU that it was measured on
};
// All samples of one application. Times are compared within an application only.
struct Application {
  std::string name;
  std::vector<Sample> samples;
};

// How wrong the predictions for some samples of an application are: of each, the squared difference
// between predicted and measured throughput relative to that of the fastest, and 1e-5 for each unit
// by which a coefficient is below zero. The paper says why: more work never makes a program faster,
// and the penalty wakes up channels that are always zero.
struct Gradient {
  double loss = 0;
  std::vector<double> values; // of the loss, by weight
};
Gradient gradientOf(const Weights &weights, std::span<const Sample *const> samples);
double lossOf(const Weights &weights, std::span<const Sample *const> samples);

// ADAM (Kingma and Ba 2014) with decays of 0.9 and 0.999.
class Adam {
public:
  void step(Weights &weights, std::span<const double> gradient, double rate);

private:
  std::vector<double> m_first, m_second; // smoothed gradients and their squares
  int m_steps = 0;
};

struct TrainingOptions {
  int epochs = 200;           // passes over all samples
  double rate = 1e-3;         // of ADAM
  std::size_t batch = 64;     // most samples of a step; they are of one application
  std::size_t leastBatch = 9; // smaller batches are left out
  std::uint64_t seed = 1;
};

// Trains weights from random ones, or goes on with `start`. The same samples and options give the
// same weights. `epochDone` gets the number of the epoch and the mean loss of a sample; training
// ends early if it returns false.
Weights train(std::span<const Application> applications, const TrainingOptions &options,
              const Weights *start = nullptr,
              const std::function<bool(int, double)> &epochDone = {});

} // namespace tessera::learn
