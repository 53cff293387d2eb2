// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/pipeline/stage.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::halide {

// Builds one stage of the pipeline value. `raw` is the definition as it is in the file (for text
// and operation counts); `resolved` is the same under the estimates (for access maps).
pipeline::Stage buildStage(const Graph &rawGraph, const StageSource &raw,
                           const Graph &resolvedGraph, const StageSource &resolved,
                           const std::vector<pipeline::LoopDim> &loops,
                           std::size_t definitionLimit);

} // namespace tessera::halide
