// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/halide/import/index_map.h"
#include "engine/pipeline/stage.h"

#include <vector>

namespace tessera::halide {

// What is left of a stage's definition where one of its loops is a number: of each loop with few
// values that alone makes a choice in it. `raw` is the definition as it stands, `resolved` has the
// estimates in it.
std::vector<pipeline::Folded> foldedOver(const std::vector<pipeline::LoopDim> &loops,
                                         const Graph &rawGraph, const StageSource &raw,
                                         const Graph &resolvedGraph, const StageSource &resolved,
                                         IndexEvaluator &evaluator);

} // namespace tessera::halide
