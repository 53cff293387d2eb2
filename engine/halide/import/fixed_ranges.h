// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/pipeline/stage.h"

namespace tessera::halide {

// Considers those indices of the stage for which only a range is known (Precision::Whole). Sets
// IndexMap::fixed where this range does not follow from an estimate: Halide then bounds the index
// by two constants, whatever the size.
void markFixedRanges(pipeline::Stage &stage, const Graph &rawGraph, const StageSource &raw);

} // namespace tessera::halide
