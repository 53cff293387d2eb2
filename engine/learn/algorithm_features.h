// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/features.h"
#include "engine/pipeline/pipeline.h"

#include <vector>

namespace tessera::learn {

AlgorithmFeatures algorithmFeatures(const pipeline::Pipeline &pipeline,
                                    const pipeline::Stage &stage);
// Of each stage of the pipeline.
std::vector<AlgorithmFeatures> algorithmFeatures(const pipeline::Pipeline &pipeline);

} // namespace tessera::learn
