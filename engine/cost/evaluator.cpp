// SPDX-License-Identifier: MIT
#include "engine/cost/evaluator.h"

#include "engine/schedule/bounds/tails.h"

#include <algorithm>
#include <utility>

namespace tessera::cost {

using machine::Machine;
using pipeline::FuncId;
using pipeline::StageId;
using schedule::Axis;
using schedule::Depth;
using schedule::FuncPlan;
using schedule::LoopNest;
using schedule::LoopRef;
using schedule::Place;
using schedule::Schedule;

namespace {

bool isAt(const Place &place, StageId stage) {
  return place.kind == Place::Kind::At && place.stage == stage;
}

// Whether two plans agree in everything but their loops: the places where the func is computed and
// stored, its memory layout and its promised bounds.
bool samePlaces(const FuncPlan &a, const FuncPlan &b) {
  return a.compute == b.compute && a.store == b.store && a.hoist == b.hoist &&
         a.storage == b.storage && a.layout == b.layout && a.storageDims == b.storageDims &&
         a.bounds == b.bounds;
}

// Whether the tail of a split can enlarge the region that a stage computes, and so the regions that
// the stage reads.
bool mayGrow(const Axis &axis) {
  return !axis.splits.empty() && axis.splits.front().tail != schedule::Tail::GuardWithIf;
}

// The regions that a stage needs of its producers depend on the outermost split. If that split is
// guarded, they only depend on whether there is a split at all.
bool sameNeeds(const Axis &a, const Axis &b) {
  if (a.splits.empty() != b.splits.empty() || mayGrow(a) != mayGrow(b)) return false;
  return !mayGrow(a) || a.splits.front() == b.splits.front();
}

bool sameNeeds(const LoopNest &a, const LoopNest &b) {
  return std::ranges::equal(
      a.axes, b.axes, [](const Axis &one, const Axis &other) { return sameNeeds(one, other); });
}

} // namespace

Evaluator::Evaluator(Schedule schedule, const Machine &machine)
    : m_schedule(std::move(schedule)), m_funcs(m_schedule.pipeline()->allFuncs()),
      m_machine(machine), m_isWhole(true) {}

Evaluator::Evaluator(Schedule schedule, std::span<const FuncId> funcs, const Machine &machine,
                     double fromDram)
    : m_schedule(std::move(schedule)), m_funcs(funcs.begin(), funcs.end()), m_machine(machine) {
  m_prediction.fromDram = fromDram;
}

void Evaluator::moveTo(Schedule schedule, std::span<const FuncId> funcs, double fromDram) {
  if (schedule.pipeline() != m_schedule.pipeline()) m_known.clear();
  m_schedule = std::move(schedule);
  m_funcs.assign(funcs.begin(), funcs.end());
  m_isWhole = false;
  m_prediction.fromDram = fromDram;
  m_isMeasured = false;
  makeStale(Stale::Loops);
}

void Evaluator::moveTo(Schedule schedule, std::span<const FuncId> funcs, double fromDram,
                       schedule::SizesSoFar measured) {
  moveTo(std::move(schedule), funcs, fromDram);
  m_bounds = &std::move(measured).finish(m_schedule, m_funcs, m_room);
  m_isMeasured = true;
}

void Evaluator::set(FuncId func, FuncPlan plan) {
  m_isMeasured = false;
  const FuncPlan &old = m_schedule.plan(func);
  if (!samePlaces(old, plan)) {
    makeStale(Stale::Loops);
  } else if (!plan.isInline()) {
    for (std::uint32_t s = 0; s < plan.stages.size(); ++s) {
      if (old.stages[s] == plan.stages[s]) continue;
      if (!sameNeeds(old.stages[s].nest, plan.stages[s].nest)) makeStale(Stale::Loops);
      makeStale(static_cast<StageId>(index(m_schedule.pipeline()->func(func).firstStage) + s));
    }
  }
  m_schedule.set(func, std::move(plan));
}

void Evaluator::setFactor(StageId stage, LoopRef cut, std::int64_t factor) {
  m_isMeasured = false;
  const Axis &axis = m_schedule.plan(stage).nest.axes[cut.axis];
  if (cut.part == 0 && mayGrow(axis)) makeStale(Stale::Loops);
  makeStale(stage);
  m_schedule.setFactor(stage, cut, factor);
}

void Evaluator::setRegisterCap(int cap) {
  schedule::Settings settings = m_schedule.settings();
  if (settings.registerCap == cap) return;
  settings.registerCap = cap;
  m_schedule.set(std::move(settings));
  m_isUntimed.assign(m_isUntimed.size(), true);
}

// A change to the loops of a stage also changes the loops of all funcs that are computed in them.
void Evaluator::makeStale(StageId stage) {
  if (m_stale >= Stale::Loops) return;
  const pipeline::Pipeline &pipeline = *m_schedule.pipeline();
  if (pipeline.func(pipeline.stage(stage).func).externCall) { // it is in no kernel
    if (isAround(stage)) makeStale(Stale::Loops);
    return;
  }
  if (m_runs.of(stage).depth == Depth::Host || isAround(stage)) {
    makeStale(Stale::Loops);
    return;
  }
  makeStale(Stale::Stages);
  if (std::ranges::find(m_changed, stage) == m_changed.end()) m_changed.push_back(stage);
}

bool Evaluator::isAround(StageId stage) const {
  return std::ranges::any_of(m_funcs, [&](FuncId func) {
    const FuncPlan &plan = m_schedule.plan(func);
    return isAt(plan.compute, stage) || (plan.store && isAt(*plan.store, stage));
  });
}

const Prediction &Evaluator::prediction() {
  if (m_stale >= Stale::Loops)
    renewAll();
  else if (m_stale == Stale::Stages)
    renewStages();
  m_stale = Stale::Times;
  m_changed.clear();
  m_prediction.seconds = 0;
  for (std::uint32_t k = 0; k < m_timers.size(); ++k) {
    if (m_isUntimed[k]) time(k);
    m_prediction.seconds += m_prediction.kernels[k].time.seconds;
  }
  return m_prediction;
}

void Evaluator::renewAll() {
  if (m_isWhole) m_prediction.fromDram = fromDramOf(m_schedule, m_machine);
  if (!m_isMeasured) m_bounds = &m_room.measure(m_schedule, m_funcs);
  m_isMeasured = false;
  m_runs.renew(m_schedule, *m_bounds, m_funcs);
  const std::span<const KernelRuns::Kernel> kernels = m_runs.kernels();
  m_slots.resize(m_schedule.pipeline()->stages().size());
  m_prediction.kernels.resize(kernels.size());
  m_timers.resize(kernels.size(), KernelTimer(m_machine));
  m_live.resize(kernels.size());
  m_isUntimed.assign(kernels.size(), true);
  for (std::uint32_t k = 0; k < kernels.size(); ++k) {
    const std::vector<StageId> &stages = kernels[kernels.size() - 1 - k].stages;
    m_prediction.kernels[k].load.stages.resize(stages.size());
    m_live[k].resize(stages.size());
    for (std::uint32_t s = 0; s < stages.size(); ++s)
      m_slots[index(stages[s])] = {k, s};
    loadAll(k);
  }
}

void Evaluator::renewStages() {
  for (const StageId stage : m_changed) {
    const bool isNews = m_runs.renew(m_schedule, *m_bounds, stage);
    // Later stages of the same thread reuse the values that this stage loads, so their loads may
    // change too.
    if (isNews || m_runs.of(stage).depth == Depth::Thread)
      loadAll(m_slots[index(stage)].kernel);
    else
      load(stage);
  }
}

void Evaluator::loadAll(std::uint32_t kernel) {
  const KernelRuns::Kernel &of = m_runs.kernels()[m_timers.size() - 1 - kernel];
  static_cast<Launch &>(m_prediction.kernels[kernel].load) = of.launch;
  m_loaded.clear();
  for (const StageId stage : of.stages)
    load(stage);
}

void Evaluator::load(StageId stage) {
  const Slot slot = m_slots[index(stage)];
  const Run &run = m_runs.of(stage);
  const LoadInputs inputs = inputsOf(m_schedule, m_machine, m_runs, run, m_loaded, m_scratch);
  const LoadKey key = describe(m_schedule, *m_bounds, m_machine, m_runs, run, inputs.newParts);
  const StageLoad *load = m_known.find(key);
  if (!load)
    load =
        &m_known.add(key, loadOf(m_schedule, *m_bounds, m_machine, m_runs, run, inputs, m_scratch));
  m_prediction.kernels[slot.kernel].load.stages[slot.place] = *load;
  m_live[slot.kernel][slot.place] = load->live;
  m_timers[slot.kernel].renew(slot.place);
  m_isUntimed[slot.kernel] = true;
}

void Evaluator::time(std::uint32_t kernel) {
  m_isUntimed[kernel] = false;
  Prediction::Kernel &of = m_prediction.kernels[kernel];
  of.load.dramBytes = dramBytesOf(of.load.stages);
  for (std::size_t s = 0; s < m_live[kernel].size(); ++s)
    of.load.stages[s].live = m_live[kernel][s];
  const std::size_t last = m_timers.size() - 1;
  addValuesAcross(m_schedule, *m_bounds, m_runs, m_runs.kernels()[last - kernel].stages, of.load);
  of.time =
      m_timers[kernel].timeOf(of.load, m_schedule.settings().registerCap, m_prediction.fromDram);
}

} // namespace tessera::cost
