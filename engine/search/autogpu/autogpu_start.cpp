// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_start.h"

#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/kept_kernels.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::StageId;
using schedule::FuncPlan;
using schedule::Place;
using schedule::Schedule;
using schedule::StagePlan;

namespace {

using Funcs = std::set<FuncId>;

class Beginning {
public:
  Beginning(const Schedule &start, const machine::Machine &machine, const FrozenDecisions &frozen)
      : m_start(start), m_machine(machine), m_frozen(frozen), m_pipeline(*start.pipeline()),
        m_fresh(schedule::defaultSchedule(start.pipeline())), m_bounds(start) {
    if (!frozen.empty()) findHeld();
  }

  std::optional<AutoGpuStart> begin() {
    const Funcs all = keptFuncs(m_start);
    const std::vector<Funcs> units = unitsOf(all);
    Funcs least = all;
    for (const Funcs &unit : units)
      for (const FuncId func : unit)
        least.erase(func);
    if (auto begun = begunWith(least)) return begun;
    auto begun = begunWith(all);
    if (!begun) return std::nullopt;
    Funcs kept = all;
    for (const Funcs &unit : units) {
      Funcs fewer = kept;
      for (const FuncId func : unit)
        fewer.erase(func);
      auto better = begunWith(fewer);
      if (!better) continue;
      begun = std::move(better);
      kept = std::move(fewer);
    }
    return begun;
  }

private:
  // Funcs with frozen decisions, those that frozen places name, and what is between a func with a
  // frozen place and the output of its kernel.
  void findHeld() {
    for (const FuncId func : m_pipeline.allFuncs()) {
      if (!m_frozen.contains(func)) continue;
      m_held.insert(func);
      const Place *place = m_frozen.place(func);
      FuncId member = func;
      while (place && place->kind == Place::Kind::At) {
        m_placed.insert(member);
        member = m_pipeline.stage(place->stage).func;
        m_held.insert(member);
        place = &m_start.plan(member).compute;
      }
    }
  }

  // What may begin anew by itself: a kernel, or a func that is inlined.
  std::vector<Funcs> unitsOf(const Funcs &kept) const {
    std::map<FuncId, Funcs> kernels;
    std::vector<Funcs> units;
    for (const FuncId func : kept)
      if (m_start.plan(func).isInline())
        units.push_back({func});
      else
        kernels[m_bounds.of(func).kernel].insert(func);
    const Funcs shared = sharedKernels();
    for (auto &[output, funcs] : kernels)
      if (!shared.contains(output) &&
          std::ranges::none_of(funcs, [&](FuncId func) { return isFixed(func); }))
        units.push_back(std::move(funcs));
    return units;
  }

  // Outputs of kernels whose stages have loops in common (compute_with).
  Funcs sharedKernels() const {
    Funcs kernels;
    for (const FuncId func : m_pipeline.allFuncs())
      for (const StagePlan &stage : m_start.plan(func).stages)
        if (stage.computeWith) {
          kernels.insert(m_bounds.of(func).kernel);
          kernels.insert(m_bounds.of(m_pipeline.stage(stage.computeWith->stage).func).kernel);
        }
    return kernels;
  }

  // Whether a func cannot be written anew: only Halide knows what it does, or it is computed on the
  // host between the launches of a kernel.
  bool isFixed(FuncId func) const {
    const FuncPlan &plan = m_start.plan(func);
    return m_pipeline.func(func).externCall ||
           (plan.compute.kind == Place::Kind::At &&
            m_bounds.of(func).depth == schedule::Depth::Host) ||
           std::ranges::any_of(plan.stages,
                               [](const StagePlan &stage) { return !stage.opaque.empty(); });
  }

  std::optional<AutoGpuStart> begunWith(Funcs kept) const {
    // What a kept kernel computes in its expressions stays there.
    const auto isKept = [&](StageId reader) {
      return kept.contains(m_pipeline.stage(reader).func);
    };
    for (const FuncId func : m_pipeline.allFuncs())
      if (m_start.plan(func).isInline() &&
          std::ranges::any_of(schedule::readersOf(m_start, func), isKept))
        kept.insert(func);
    Schedule schedule = m_start;
    for (const FuncId func : m_pipeline.allFuncs()) {
      if (kept.contains(func)) continue;
      auto plan = planOf(func);
      if (!plan) return std::nullopt;
      schedule.set(func, std::move(*plan));
    }
    if (!schedule::isLegal(schedule, m_machine) || !keepsFrozen(m_start, schedule))
      return std::nullopt;
    Funcs held;
    std::ranges::set_difference(m_held, kept, std::inserter(held, held.end()));
    return AutoGpuStart{std::move(schedule), std::move(kept), std::move(held)};
  }

  // The plan of a func that is not kept.
  std::optional<FuncPlan> planOf(FuncId func) const {
    if (!m_held.contains(func)) return m_fresh.plan(func);
    const FuncPlan &start = m_start.plan(func);
    if (start.isRoot() || m_placed.contains(func) || m_frozen.place(func)) return start;
    FuncPlan kernel;
    for (const pipeline::Stage &stage : m_pipeline.stagesOf(func))
      kernel.stages.push_back({schedule::kernelNest(stage)});
    return m_frozen.held(func, std::move(kernel));
  }

  const Schedule &m_start;
  const machine::Machine &m_machine;
  const FrozenDecisions &m_frozen;
  const pipeline::Pipeline &m_pipeline;
  const Schedule m_fresh;
  const schedule::Bounds m_bounds;
  Funcs m_held, m_placed;
};

} // namespace

std::optional<AutoGpuStart> autoGpuStart(const Schedule &start, const machine::Machine &machine,
                                         const FrozenDecisions &frozen) {
  return Beginning(start, machine, frozen).begin();
}

} // namespace tessera::search
