// SPDX-License-Identifier: MIT
#include "engine/cost/load/memory_space_finder.h"

#include "engine/cost/load/run_facts.h"
#include "engine/pipeline/measures.h"

#include <algorithm>

namespace tessera::cost {

using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Producer;
using pipeline::StageId;
using schedule::Bounds;
using schedule::Depth;
using schedule::FuncPlan;
using schedule::Place;
using schedule::Storage;

namespace {

bool isGathered(const Run &reader, FuncId id) {
  const Reads::Source *source = reader.reads->find(Producer::func(id));
  for (std::uint32_t d = 0; source && d < source->dims; ++d)
    if ((reader.reads->gatheredBy(source->firstDim + d) & ~reader.numbers) != 0) return true;
  return false;
}

} // namespace

MemorySpace MemorySpaceFinder::find(FuncId id) {
  const FuncPlan &plan = m_schedule.plan(id);
  const Bounds::FuncBounds &bounds = m_bounds.of(id);
  if (plan.isInline() || plan.storage == Storage::Global) return MemorySpace::Global;
  if (m_pipeline.func(id).externCall) return MemorySpace::Global; // the host gives it the memory
  if (plan.storage == Storage::Shared) return MemorySpace::Shared;
  if (plan.storage == Storage::Auto && bounds.storeDepth == Depth::Host) return MemorySpace::Global;
  if (plan.storage == Storage::Auto && bounds.storeDepth == Depth::Block)
    return MemorySpace::Shared;
  const MemorySpace inMemory =
      bounds.storeDepth == Depth::Block ? MemorySpace::Apart : MemorySpace::Local;
  if (isDealtOut(id)) return hasIdleThreads(id) ? inMemory : MemorySpace::Registers;
  return volumeOf(bounds.stored) > 1 && isIndexed(id) ? inMemory : MemorySpace::Registers;
}

bool MemorySpaceFinder::isDealtOut(FuncId id) const {
  return m_schedule.plan(id).storage == Storage::Registers &&
         m_bounds.of(id).storeDepth == Depth::Block;
}

// Whether fewer threads compute the func than the block has. Then the func is in local memory, and
// each thread has an array for all elements of the block: LLVM sees one array and does not forward
// stored values across conditions.
bool MemorySpaceFinder::hasIdleThreads(FuncId id) const {
  return std::ranges::any_of(m_pipeline.stageIdsOf(id), [this](StageId stage) {
    const Run &run = m_runs.of(stage);
    return run.active != m_runs.kernelOf(run).launch.blockThreads;
  });
}

// Whether a loop or data decide at run time which element is accessed.
bool MemorySpaceFinder::isIndexed(FuncId id) {
  const pipeline::Func &func = m_pipeline.func(id);
  for (std::uint32_t s = 0; s < func.stageCount; ++s) {
    const Run &run = m_runs.of(static_cast<StageId>(index(func.firstStage) + s));
    if (isStoredAnywhere(m_pipeline.stage(run.stage))) return true;
    for (const FlatLoop &loop : run.turns())
      if (m_pipeline.stage(run.stage).loops[loop.dim].argument) return true;
  }
  const Place &place = m_schedule.plan(id).compute;
  for (const StageId reader : schedule::readersOf(m_schedule, id)) {
    if (!m_runs.contains(reader) || m_pipeline.stage(reader).func == id) continue;
    const Run &run = m_runs.of(reader);
    if (isGathered(run, id)) return true;
    const std::size_t outermost = reader == place.stage ? loopOf(m_schedule, place) : SIZE_MAX;
    for (const FlatLoop &loop : run.turns())
      if (loop.loop < outermost && readsElsewhere(run, loop, id)) return true;
  }
  return false;
}

// Whether different iterations of the loop read different elements.
bool MemorySpaceFinder::readsElsewhere(const Run &reader, const FlatLoop &loop, FuncId id) {
  const Reads::Source *source = reader.reads->find(Producer::func(id));
  if (!source) return false;
  std::vector<Interval> over = reader.base;
  reader.reads->evaluate(over, m_here);
  over[loop.dim].min += loop.reach();
  over[loop.dim].max += loop.reach();
  reader.reads->evaluate(over, m_there);
  return !std::ranges::equal(source->boxIn(m_here), source->boxIn(m_there));
}

} // namespace tessera::cost
