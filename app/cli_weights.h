// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/learn/weights_file.h"
#include "engine/search/parameters.h"

#include <memory>
#include <string>

namespace tessera::app {

// The weights in a file of `learn train`, or in one of Halide's.
Result<learn::TrainedWeights> trainedWeightsIn(const std::string &file);
// The same, to be shared; null without a file.
Result<std::shared_ptr<const learn::Weights>> weightsIn(const std::string &file);

// What is wrong with how a learned cost was asked for. With weights, it is the standard of beam.
Status checkWeights(const std::string &file, const std::string &algorithm,
                    search::ParameterValues &parameters);

} // namespace tessera::app
