// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/pipeline/expression.h"

namespace tessera::halide {

// What stands in the definition of a stage, as Halide's autoscheduler Anderson2021 counts it. A
// load through Halide's staging handle of an input is a call of a func, as it is in the file.
pipeline::Expression expressionOf(const Graph &graph, const StageSource &stage);

} // namespace tessera::halide
