// SPDX-License-Identifier: MIT
#include "engine/cost/load/load_key.h"

#include "engine/cost/load/body_access.h"
#include "engine/cost/load/layout.h"
#include "engine/cost/load/run_facts.h"

namespace tessera::cost {

using machine::Machine;
using pipeline::Interval;
using pipeline::Producer;
using schedule::Bounds;
using schedule::Schedule;

namespace {

class Describer {
public:
  Describer(const Schedule &schedule, const Bounds &bounds, const Machine &machine,
            const KernelRuns &runs)
      : m_schedule(schedule), m_bounds(bounds), m_machine(machine), m_runs(runs) {}

  LoadKey keyOf(const Run &run, std::span<const double> newParts) {
    const bool isAtomic = m_schedule.plan(run.stage).atomic != schedule::Atomic::No;
    const KernelRuns::Kernel &kernel = m_runs.kernelOf(run);
    add(index(run.stage));
    addSmall(run.depth, run.loops.size(), run.bodyLoops, isAtomic, kernel.stages.size() == 1);
    add(run.times, run.bodies, guardedWaits(m_schedule, m_bounds, run),
        remaindersOf(m_schedule, m_bounds, run));
    for (const FlatLoop &loop : run.loops) {
      addSmall(loop.kind, loop.dim, run.isInThread(loop));
      add(loop.iterations, loop.step);
    }
    for (const Interval &place : run.base)
      add(place.min);
    addThreads(run, kernel.launch);
    addKept(Producer::func(m_schedule.pipeline()->stage(run.stage).func));
    for (const Reads::Source &source : run.reads->sources()) {
      addSmall(source.producer.index, source.inlined); // which funcs are inlined decides the reads
      if (!source.inlined) addKept(source.producer);
    }
    if (m_isCached) add(kernel.launch.blocks, kernel.launch.threads(), kernel.launch.sharedBytes);
    for (const double part : newParts)
      add(part);
    return m_key.key();
  }

private:
  void addThreads(const Run &run, const Launch &launch) {
    const auto lanes = lanesOf(run, launch, m_machine.limits.warpSize);
    addSmall(lanes[0], lanes[1], lanes[2]);
    add(warpsOf(run, launch, m_machine));
    for (std::size_t d = 0; d < kBlockDims; ++d) {
      add(run.threads[d], run.active[d]);
      if (run.threads[d] <= 1) continue;
      for (const double step : run.threadSteps[d])
        add(step);
    }
  }

  // Adds the memory space, the layout and the box of a func's stored elements. For an input they
  // are the same in all schedules.
  void addKept(Producer producer) {
    const MemorySpace space = spaceOf(m_runs, producer);
    m_isCached = m_isCached || (space != MemorySpace::Shared && space != MemorySpace::Registers);
    if (producer.kind == Producer::Kind::Input) return;
    const auto func = static_cast<pipeline::FuncId>(producer.index);
    const schedule::FuncPlan &plan = m_schedule.plan(func);
    const std::vector<std::uint16_t> &order = plan.layout;
    addSmall(space, order.size(),
             space == MemorySpace::Global ? 0 : rowsInBlock(m_schedule, m_bounds, func));
    for (const std::uint16_t dim : order)
      add(dim);
    const std::span<const Interval> box = keptBox(m_schedule, m_bounds, func);
    for (std::size_t d = 0; d < box.size(); ++d)
      add(box[d].min, box[d].max, allocatedAlong(plan, d, box[d]));
  }

  template <typename... Values>
  void add(Values... values) {
    (m_key.add(word(values)), ...);
  }
  // Packs several values into one word. Each has to fit into its part of the bits.
  template <typename... Values>
  void addSmall(Values... values) {
    constexpr int kBits = 64 / sizeof...(Values);
    std::uint64_t all = 0;
    ((all = all << kBits | static_cast<std::uint64_t>(values)), ...);
    m_key.add(all);
  }
  static std::uint64_t word(double value) { return std::bit_cast<std::uint64_t>(value); }
  template <typename Value>
  static std::uint64_t word(Value value) {
    return static_cast<std::uint64_t>(value);
  }

  const Schedule &m_schedule;
  const Bounds &m_bounds;
  const Machine &m_machine;
  const KernelRuns &m_runs;
  LoadKeyMaker m_key;
  bool m_isCached = false;
};

} // namespace

LoadKey describe(const Schedule &schedule, const Bounds &bounds, const Machine &machine,
                 const KernelRuns &runs, const Run &run, std::span<const double> newParts) {
  return Describer(schedule, bounds, machine, runs).keyOf(run, newParts);
}

} // namespace tessera::cost
