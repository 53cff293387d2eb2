// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/pipeline/stage.h"

namespace tessera::halide {

// Considers the stage's indices that depend on data. Marks those whose range does not follow from
// an estimate: Halide bounds such an index by two constants, whatever the size.
void markFixedRanges(pipeline::Stage &stage, const Graph &rawGraph, const StageSource &raw);

} // namespace tessera::halide
