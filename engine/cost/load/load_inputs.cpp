// SPDX-License-Identifier: MIT
#include "engine/cost/load/load_inputs.h"

#include "engine/cost/load/run_facts.h"

#include <algorithm>

namespace tessera::cost {

using machine::Machine;
using pipeline::FuncId;
using pipeline::Pipeline;
using schedule::Depth;
using schedule::LoopKind;
using schedule::Schedule;

namespace {

// Counts in countsOfCopies what all copies in a body read of each source: the reads of one copy,
// times the number of copies. `isApart` selects the loops whose copies have no loads in common.
// Returns the number of copies; if it is 1, nothing is counted.
template <typename IsApart>
double countCopies(const Run &run, const IsApart &isApart, LoadScratch &scratch) {
  scratch.over = scratch.access.body();
  const double copies = narrowToCopy(run, isApart, scratch.over);
  if (copies == 1) return 1;
  run.reads->evaluate(scratch.over, scratch.boxes);
  std::vector<Reads::Count> &counts = scratch.countsOfCopies;
  counts.resize(run.reads->sources().size());
  run.reads->count(pointsOf(run) / copies, run.numbers, scratch.boxes, counts);
  for (Reads::Count &count : counts) {
    count.loads *= copies;
    count.uses *= copies;
  }
  return copies;
}

// The loops of the stage that decide which elements of a source are read.
std::uint32_t chosenBy(const Reads &reads, const Reads::Source &source) {
  std::uint32_t loops = reads.movedBy(source);
  for (std::uint32_t d = source.firstDim; d < source.firstDim + source.dims; ++d)
    loops |= reads.gatheredBy(d) | reads.scatteredBy(d);
  return loops;
}

// The box around copies with gaps between them also covers elements that are not read. So the
// elements of one copy are counted instead, times the number of copies that read different
// elements.
void leaveOutGaps(const Run &run, LoadScratch &scratch) {
  const auto isApart = [&](const FlatLoop &loop) { return leavesGaps(run, loop); };
  if (countCopies(run, isApart, scratch) == 1) return;
  for (std::size_t s = 0; s < scratch.counts.size(); ++s) {
    double &loads = scratch.countsOfCopies[s].loads;
    const std::uint32_t chosen = chosenBy(*run.reads, run.reads->sources()[s]);
    for (const FlatLoop &loop : run.body())
      if (isApart(loop) && loop.dim < 32 && (chosen >> loop.dim & 1) == 0)
        loads /= static_cast<double>(loop.iterations);
    scratch.counts[s].loads = std::min(scratch.counts[s].loads, loads);
  }
}

// To be called after `access` has looked at the body. A body that stores to global memory between
// its loads has to load again, because the compiler cannot exclude that the store changed the
// loaded value.
void countReads(const KernelRuns &runs, const Run &run, FuncId own, LoadScratch &scratch) {
  const bool isGlobal = runs.space(own) == MemorySpace::Global;
  const auto isUnrolled = [](const FlatLoop &loop) { return loop.kind == LoopKind::Unrolled; };
  if (isGlobal && countCopies(run, isUnrolled, scratch) > 1) {
    scratch.counts.swap(scratch.countsOfCopies);
    return;
  }
  scratch.counts.assign(run.reads->sources().size(), {});
  run.reads->count(pointsOf(run), run.numbers, scratch.access.boxes(), scratch.counts);
  if (!isGlobal) leaveOutGaps(run, scratch);
}

} // namespace

BodyReads readsOf(const Pipeline &pipeline, const Machine &machine, const KernelRuns &runs,
                  const Run &run, LoadScratch &scratch) {
  scratch.access.look(pipeline, run, runs.kernelOf(run).launch, machine.limits.warpSize);
  countReads(runs, run, pipeline.stage(run.stage).func, scratch);
  return {&scratch.access, scratch.counts};
}

LoadInputs inputsOf(const Schedule &schedule, const Machine &machine, const KernelRuns &runs,
                    const Run &run, LoadedByThread &loaded, LoadScratch &scratch) {
  if (run.depth != Depth::Thread || !run.turns().empty()) return {};
  const Pipeline &pipeline = *schedule.pipeline();
  const FuncId own = pipeline.stage(run.stage).func;
  const BodyReads reads = readsOf(pipeline, machine, runs, run, scratch);
  const std::span<const Reads::Source> sources = run.reads->sources();
  scratch.newParts.assign(sources.size(), 1);
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const Reads::Source &source = sources[s];
    if (reads.counts[s].loads == 0 || source.inlined) continue;
    // If indices depend on data, each stage may read other elements, so all count as new.
    if (run.reads->isGathered(source)) continue;
    const MemorySpace space = spaceOf(runs, source.producer);
    if (space != MemorySpace::Global && space != MemorySpace::Shared) continue;
    scratch.newParts[s] =
        loaded.newPartOf(source.producer, reads.access->boxOf(source), schedule.plan(own).compute);
  }
  return {reads, scratch.newParts};
}

} // namespace tessera::cost
