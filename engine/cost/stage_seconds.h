// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"

#include <vector>

namespace tessera::cost {

// A kernel's time, divided among KernelLoad::stages in proportion to the instructions that a block
// issues for each stage. It shows where to look. It is not the time that a stage would take alone,
// since stages hide each other's waits.
std::vector<double> stageSecondsOf(const Prediction::Kernel &kernel);

} // namespace tessera::cost
