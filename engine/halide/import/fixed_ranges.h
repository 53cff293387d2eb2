// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/pipeline/stage.h"

namespace tessera::halide {

// Of a stage's indices that data choose, marks those whose range does not follow from an estimate:
// Halide has it as two constants, whatever the size.
void markFixedRanges(pipeline::Stage &stage, const Graph &rawGraph, const StageSource &raw);

} // namespace tessera::halide
