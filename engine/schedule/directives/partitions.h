// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

namespace tessera::schedule {

// Whether Halide 21 makes a mistake where it partitions the loops of a stage: into tiles at the
// boundary of something, and those between that need no tests. lower() tells it not to.
//
// It loses the guard of the last tile, and computes beyond what there is: it takes it for true in
// all tiles of a loop that is split twice or more, when the func is needed as far as an input
// reaches, as copies of inputs are behind BoundaryConditions::repeat_edge. The smallest case is in
// tests/engine/halide/tst_halide_facts.cpp.
//
// CUDA gets other values, though not OpenCL, where the threads of a kernel compute a boundary for
// others in tiles with a guard: where the loops of one thread are cut depends on the thread. Seen
// in lens_blur (tests/campaigns/searches/results/lens_blur_differs.json). Without partitions they
// are right.
bool partitionsWrongly(const Schedule &schedule, pipeline::StageId stage);

} // namespace tessera::schedule
