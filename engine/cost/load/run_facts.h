// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/machine/machine.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// What a compiler knows of a run, and which threads take part in it.
namespace tessera::cost {

// Whether the stride of a dimension is a compile-time constant, because the pipeline fixes the
// extents of all dimensions before it. The outputs' extents are used, since other funcs usually
// have the same dimensions.
bool fixesStride(const pipeline::Pipeline &pipeline, std::size_t dim);

// Whether a loop of this length covers its func completely. Inside a block such a length is usually
// a constant, as for channels.
bool isWhole(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage, std::size_t loop,
             std::int64_t extent);

// Whether the producer is a func that copies what it reads without arithmetic.
bool isCopy(const pipeline::Pipeline &pipeline, pipeline::Producer producer);

// Whether data decide where the stage stores.
bool isStoredAnywhere(const pipeline::Stage &stage);

// Position in the nest of the loop at which a func is computed.
std::size_t loopOf(const schedule::Schedule &schedule, const schedule::Place &place);

MemorySpace spaceOf(const KernelRuns &runs, pipeline::Producer producer);

// The number of evaluations of the stage's definition in a body.
double pointsOf(const Run &run);

// How many times in a row a body waits for loads behind a condition; 0 if its copies have no
// conditions. Usually Halide partitions the loop and moves the copies that need no condition out of
// it, so that all copies wait together. It cannot do so for a sum of partial reductions, nor where
// loop partitioning is turned off: there each copy is nested in the condition of the previous copy.
// If an update selects what to load and stores at an index that depends on data, each copy branches
// to its loads.
double guardedWaits(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                    const Run &run);

// Whether the copies of an unrolled loop leave gaps: elements between them that no copy computes.
bool leavesGaps(const Run &run, const FlatLoop &loop);

// Narrows the loop intervals of a body to one of the copies that the selected loops make. Returns
// the number of copies.
template <typename IsApart>
double narrowToCopy(const Run &run, const IsApart &isApart, std::vector<pipeline::Interval> &over) {
  double copies = 1;
  for (const FlatLoop &loop : run.body()) {
    if (!isApart(loop)) continue;
    over[loop.dim].max -= loop.reach();
    copies *= static_cast<double>(loop.iterations);
  }
  return copies;
}

// Instructions in each body to compute positions in fused loops. Each fused dimension but the
// outermost takes a remainder by its length. Remainders of block loops are not counted, since all
// threads of a block share them.
double remaindersOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                    const Run &run);

// Warps with something to compute. Warps beyond these are idle.
std::int64_t warpsOf(const Run &run, const Launch &kernel, const machine::Machine &machine);

} // namespace tessera::cost
