// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/halide/import/index_map.h"
#include "engine/pipeline/access.h"

#include <vector>

namespace tessera::halide {

// The loads of a stage's definition, each distinct access once, sorted by producer. The estimates
// must have been substituted, as the evaluator requires.
std::vector<pipeline::Access> loadsOf(const Graph &graph, const StageSource &stage,
                                      IndexEvaluator &evaluator);

// The access that the stage writes. An index with several maps counts as unknown.
pipeline::Access storeOf(const StageSource &stage, IndexEvaluator &evaluator);

} // namespace tessera::halide
