// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/halide/import/index_map.h"
#include "engine/pipeline/stage.h"

#include <vector>

namespace tessera::halide {

// Considers each loop that has few values and alone decides a choice in a stage. Returns the
// operations and loads that remain of the definition if the loop variable is a constant, summed
// over values of that loop. `raw` is the definition as written, `resolved` is the definition under
// the estimates.
std::vector<pipeline::Folded> foldedOver(const std::vector<pipeline::LoopDim> &loops,
                                         const Graph &rawGraph, const StageSource &raw,
                                         const Graph &resolvedGraph, const StageSource &resolved,
                                         IndexEvaluator &evaluator);

} // namespace tessera::halide
