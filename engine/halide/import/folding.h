// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/halide/import/index_map.h"
#include "engine/pipeline/stage.h"

#include <vector>

namespace tessera::halide {

// For each loop with few values that alone decides a choice in a stage: the operations and loads
// that remain of the definition once the loop is a number. `raw` is the definition as written,
// `resolved` is the definition under the estimates.
std::vector<pipeline::Folded> foldedOver(const std::vector<pipeline::LoopDim> &loops,
                                         const Graph &rawGraph, const StageSource &raw,
                                         const Graph &resolvedGraph, const StageSource &resolved,
                                         IndexEvaluator &evaluator);

} // namespace tessera::halide
