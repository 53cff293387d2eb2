// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/features.h"

#include <string>
#include <vector>

namespace tessera::learn::testing {

// What Halide's plugin found of a schedule, by stage in its own order: consumers first, and the
// last update of a func first.
struct Featurization {
  std::vector<AlgorithmFeatures> algorithm;
  std::vector<ScheduleFeatures> stages;
};

// Reads a NAME.featurization that the script `featurize` wrote. Has no stages if it cannot be read.
Featurization featurizationIn(const std::string &path);

std::string contentOf(const std::string &path);

} // namespace tessera::learn::testing
