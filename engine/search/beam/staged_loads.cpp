// SPDX-License-Identifier: MIT
#include "engine/search/beam/staged_loads.h"

#include "engine/search/beam/beam_nest.h"
#include "engine/search/beam/beam_places.h"
#include "engine/pipeline/measures.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/search/kernels/copies.h"
#include "engine/search/kernels/place_depth.h"

#include <algorithm>
#include <set>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::StageId;
using schedule::Loop;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::Place;
using schedule::Schedule;

namespace {

bool hasUnrolled(const Schedule &schedule, FuncId func) {
  return std::ranges::any_of(schedule.plan(func).stages, [](const schedule::StagePlan &stage) {
    return stage.nest.contains(LoopKind::Unrolled);
  });
}

// Whether a producer is in global or shared memory.
bool isInMemory(const Schedule &schedule, Producer producer) {
  if (producer.kind == Producer::Kind::Input)
    return !schedule.pipeline()->input(pipeline::InputId{producer.index}).isScalar;
  const FuncId func{producer.index};
  return !schedule.plan(func).isInline() &&
         depthOf(schedule, schedule.plan(func).compute) != schedule::Depth::Thread;
}

// What each func with unrolled loops reads from memory, directly or through inlined funcs.
std::vector<ReadOf> stagedReads(const Schedule &schedule) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::vector<ReadOf> reads;
  std::set<FuncId> done;
  for (const FuncId func : pipeline.allFuncs()) {
    if (schedule.plan(func).isInline() || !hasUnrolled(schedule, func)) continue;
    for (const FuncId reader : withItsInlined(schedule, func)) {
      if (!done.insert(reader).second) continue;
      for (const pipeline::Stage &stage : pipeline.stagesOf(reader))
        for (const pipeline::Access &load : stage.loads) {
          const ReadOf read{load.producer, reader};
          if (load.producer != Producer::func(reader) && isInMemory(schedule, load.producer) &&
              std::ranges::find(reads, read) == reads.end())
            reads.push_back(read);
        }
    }
  }
  return reads;
}

// The loop of a stage just outside of those that are unrolled: of a reduction, or of the threads.
std::optional<schedule::LoopRef> outsideUnrolled(const LoopNest &nest) {
  const auto loop = std::ranges::find_if(
      nest.loops, [](const Loop &one) { return one.kind != LoopKind::Unrolled; });
  if (loop == nest.loops.end() || loop == nest.loops.begin()) return std::nullopt;
  return loop->ref;
}

} // namespace

StagedLoads::StagedLoads(const Schedule &schedule, const machine::Machine &machine,
                         const BeamParameters &parameters, BeamCost &cost)
    : m_before(schedule), m_schedule(schedule), m_parameters(parameters), m_cost(cost),
      m_legality(machine) {
  if (m_parameters.stagingKind() == BeamStaging::Never) return;
  WithCopiesOf with = withCopiesOf(schedule, stagedReads(schedule));
  if (with.copies.empty() || !m_legality.isLegal(with.schedule)) return;
  m_schedule = std::move(with.schedule);
  m_copies = std::move(with.copies);
  m_frozen = FrozenDecisions(m_schedule);
}

// The cost of the kernel that a stage is a part of.
double StagedLoads::costAround(const Schedule &schedule, StageId reader) {
  const schedule::Bounds bounds(schedule);
  const Pipeline &pipeline = *schedule.pipeline();
  const FuncId output = bounds.of(pipeline.stage(reader).func).kernel;
  std::vector<FuncId> funcs;
  for (const FuncId func : pipeline.allFuncs())
    if (!schedule.plan(func).isInline() && bounds.of(func).kernel == output) funcs.push_back(func);
  return m_cost.ofKernel(schedule, output, funcs);
}

// Places a copy in the threads of its reader, if the rules and STAGING allow it.
bool StagedLoads::isStaged(FuncId copy) {
  const Pipeline &pipeline = *m_schedule.pipeline();
  const std::vector<StageId> readers = otherReadersOf(m_schedule, copy);
  if (readers.size() != 1) return false;
  const auto loop = outsideUnrolled(m_schedule.plan(readers.front()).nest);
  if (!loop) return false;
  schedule::FuncPlan plan;
  plan.compute = Place::at(readers.front(), *loop);
  const pipeline::Stage &stage = pipeline.stagesOf(copy).front();
  plan.stages.push_back({schedule::plainNest(stage)});
  Schedule staged = m_schedule;
  staged.set(copy, plan);
  if (depthOf(staged, plan.compute) != schedule::Depth::Thread) return false;
  const schedule::Bounds bounds(staged);
  std::int64_t points = 1;
  const auto extents = bounds.of(pipeline.func(copy).firstStage).dims;
  for (const std::int64_t extent : extents)
    points *= extent;
  // Section 6.6: larger ones would likely stay in local memory.
  const auto bytes = static_cast<double>(points * pipeline::elementBytes(pipeline.func(copy)));
  if (bytes > m_parameters.threadBytes) return false;
  plan.stages.front() = threadStage(stage, extents);
  if (!m_frozen.setHeld(staged, copy, std::move(plan)) || !m_legality.isLegal(staged)) return false;
  if (m_parameters.stagingKind() == BeamStaging::Gaining &&
      costAround(staged, readers.front()) >= costAround(m_schedule, readers.front()))
    return false;
  m_schedule = std::move(staged);
  return true;
}

bool StagedLoads::step() {
  if (m_next < m_copies.size()) {
    if (isStaged(m_copies[m_next++])) ++m_staged;
    return true;
  }
  if (m_staged == 0)
    m_schedule = m_before;
  else
    m_schedule = withoutIdleCopies(m_schedule);
  m_copies.clear();
  m_next = 0;
  return false;
}

} // namespace tessera::search
