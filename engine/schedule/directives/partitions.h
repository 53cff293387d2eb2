// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

namespace tessera::schedule {

// Whether Halide 21 makes a mistake where it partitions the loops of a stage: into tiles at a
// boundary, and tiles between boundaries, which need no tests. lower() then adds
// never_partition_all. There are two such mistakes.
//
// Halide loses the guard of the last tile, and computes beyond the end. It takes the guard for true
// in all tiles of a loop that is split at least twice, when the func is needed as far as an input
// reaches, as copies of inputs behind BoundaryConditions::repeat_edge are. The smallest case is in
// tests/engine/halide/tst_halide_facts.cpp.
//
// With CUDA, but not with OpenCL, the values differ where the threads of a kernel compute a func at
// a boundary for another func, in tiles with a guard: there, each thread's loops are cut at places
// that depend on the thread. Seen in lens_blur
// (tests/campaigns/searches/results/lens_blur_differs.json). Without partitions the values are
// right.
bool partitionsWrongly(const Schedule &schedule, pipeline::StageId stage);

} // namespace tessera::schedule
