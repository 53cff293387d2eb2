// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/machine/machine.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// What a compiler knows of a run, and who takes part in it.
namespace tessera::cost {

// Whether the pipeline fixes how far two neighbours along a dimension of its funcs are apart: where
// it fixes all extents before. As far as the outputs say it, whose dimensions the others share as a
// rule.
bool fixesStride(const pipeline::Pipeline &pipeline, std::size_t dim);

// Whether a loop that long goes through all of its func. In a block that is of a constant length as
// a rule, such as channels.
bool isWhole(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage, std::size_t loop,
             std::int64_t extent);

// Whether it only passes on what it reads.
bool isCopy(const pipeline::Pipeline &pipeline, pipeline::Producer producer);

// Whether data decide the place of what it stores.
bool isStoredAnywhere(const pipeline::Stage &stage);

MemorySpace spaceOf(const KernelRuns &runs, pipeline::Producer producer);

// Evaluations of a body.
double pointsOf(const Run &run);

// How often a body waits for what it loads behind a condition, one after the other; 0: its copies
// have no conditions. Halide cuts what needs none out of a loop, but not of a sum of partial
// reductions, nor where it is told not to: each copy there is behind the condition of the one
// before. Where an update chooses what to load, and data choose its place, each copy branches to
// what it loads.
double guardedWaits(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                    const Run &run);

// Whether the copies of an unrolled loop of a body are further apart than what is computed between
// them.
bool leavesGaps(const Run &run, const FlatLoop &loop);

// Leaves one of the copies that these loops make in what a body runs over; returns how many there
// are.
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

// Instructions in each body for the places in fused loops: each dimension but the last of them is a
// remainder by its length. Those that blocks count through are the same for all of their threads.
double remaindersOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                    const Run &run);

// Those with something to compute: threads in excess of that do nothing.
std::int64_t warpsOf(const Run &run, const Launch &kernel, const machine::Machine &machine);

} // namespace tessera::cost
