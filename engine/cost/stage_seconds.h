// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"

#include <vector>

namespace tessera::cost {

// A kernel's time, shared out to KernelLoad::stages by the instructions that a block issues for
// each: where to look, not what a stage would take alone, since stages hide each other's waits.
std::vector<double> stageSecondsOf(const Prediction::Kernel &kernel);

} // namespace tessera::cost
