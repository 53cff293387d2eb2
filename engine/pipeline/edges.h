// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/stage.h"

#include <vector>

namespace tessera::pipeline {

// Merges the loads of one stage into one edge for each producer. Two index maps that differ in a
// single offset become one map over the hull of both offsets. Maps are monotone, so the box stays
// the same, and a 5×5 stencil needs one map for each dimension instead of 25.
std::vector<Edge> edgesOf(const Stage &stage, StageId id);

} // namespace tessera::pipeline
