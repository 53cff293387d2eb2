// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <vector>

namespace tessera::schedule {

// Halide partitions a loop into tiles at a boundary and tiles between boundaries, which need no
// tests. This function tells whether Halide 21 makes a mistake when it partitions the loops of a
// stage; lower() then adds never_partition_all. There are two such mistakes.
//
// The first: Halide loses the guard of the last tile, and computes beyond the end. It assumes that
// the guard is true in all tiles of a loop that is split at least twice, if the func is needed as
// far as an input reaches. Copies of inputs behind BoundaryConditions::repeat_edge are such funcs.
// The smallest case is in tests/engine/halide/tst_halide_facts.cpp.
//
// The second: with CUDA, but not with OpenCL, the values are wrong where the threads of a kernel
// compute a func at a boundary for another func, in tiles with a guard. There, each thread's loops
// are cut at places that depend on the thread. Seen in lens_blur
// (tests/campaigns/searches/results/lens_blur_differs.json). Without partitions the values are
// right.
bool partitionsWrongly(const Schedule &schedule, pipeline::StageId stage);

// The same for the variants of a stage that have loops of their own. Adds the call to those among
// `calls`, and to variants within them, that need it; or removes it from them.
void addNeverPartition(std::vector<OpaqueDirective> &calls, const Schedule &schedule,
                       pipeline::StageId stage);
void removeNeverPartition(std::vector<OpaqueDirective> &calls, const Schedule &schedule,
                          pipeline::StageId stage);

} // namespace tessera::schedule
