// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/halide/import/index_map.h"
#include "engine/pipeline/access.h"

#include <vector>

namespace tessera::halide {

// What a stage's definition loads, each different access once; sorted by producer. The estimates
// are in it, as the evaluator wants them.
std::vector<pipeline::Access> loadsOf(const Graph &graph, const StageSource &stage,
                                      IndexEvaluator &evaluator);

// Where it writes. An index with several maps is covered by their hull only as a whole.
pipeline::Access storeOf(const StageSource &stage, IndexEvaluator &evaluator);

} // namespace tessera::halide
