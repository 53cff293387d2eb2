// SPDX-License-Identifier: MIT
#include "engine/cost/body_access.h"
#include "engine/cost/kernel_load.h"
#include "engine/cost/layout.h"
#include "engine/cost/run_facts.h"

#include <bit>

namespace tessera::cost {

using machine::Machine;
using pipeline::Interval;
using pipeline::Producer;
using schedule::Schedule;
using schedule::Shape;

namespace {

class Describer {
public:
  Describer(const Schedule &schedule, const Shape &shape, const Machine &machine,
            const KernelRuns &runs, LoadScratch &scratch, std::vector<std::int64_t> &words)
      : m_schedule(schedule), m_shape(shape), m_machine(machine), m_runs(runs), m_scratch(scratch),
        m_words(words) {}

  void write(const Run &run) {
    m_words.clear();
    const bool isAtomic = m_schedule.plan(run.stage).atomic != schedule::Atomic::No;
    const KernelRuns::Kernel &kernel = m_runs.kernelOf(run);
    add(index(run.stage), run.depth, run.loops.size(), run.bodyLoops, run.times, run.bodies,
        isAtomic, isGuarded(m_schedule, m_shape, run), kernel.stages.size() == 1);
    for (const FlatLoop &loop : run.loops)
      add(loop.kind, loop.dim, run.isInThread(loop), loop.iterations, loop.step);
    for (const Interval &place : run.base)
      add(place.min);
    addThreads(run, kernel.launch);
    m_isCached = false;
    addKept(Producer::func(m_schedule.pipeline()->stage(run.stage).func), {});
    for (const Reads::Source &source : run.reads->sources()) {
      add(source.producer.index, source.inlined); // what is read follows from what is inlined
      if (!source.inlined) addKept(source.producer, run.reads->wholeOf(source));
    }
    if (m_isCached) add(kernel.launch.blocks, kernel.launch.threads(), kernel.launch.sharedBytes);
    for (const double part : m_scratch.newParts)
      add(part);
  }

private:
  void addThreads(const Run &run, const Launch &launch) {
    const auto lanes = lanesOf(run, launch, m_machine.limits.warpSize);
    add(warpsOf(run, launch, m_machine));
    for (std::size_t d = 0; d < kBlockDims; ++d) {
      add(lanes[d], run.threads[d], run.active[d]);
      if (run.threads[d] <= 1) continue;
      for (const double step : run.threadSteps[d])
        add(step);
    }
  }

  // Where it begins, and how it lies there.
  void addKept(Producer producer, std::span<const Interval> whole) {
    const Home home = homeOf(m_runs, producer);
    add(home);
    m_isCached = m_isCached || home == Home::Global || home == Home::Local;
    if (producer.kind == Producer::Kind::Input) return; // the same in all schedules
    const Layout layout = layoutOf(m_schedule, m_shape, producer, whole, m_scratch.strides);
    for (std::size_t d = 0; d < layout.box.size(); ++d)
      add(layout.strides[d], layout.box[d].min, layout.box[d].max);
  }

  template <typename... Values>
  void add(Values... values) {
    (m_words.push_back(word(values)), ...);
  }
  static std::int64_t word(double value) { return std::bit_cast<std::int64_t>(value); }
  template <typename Value>
  static std::int64_t word(Value value) {
    return static_cast<std::int64_t>(value);
  }

  const Schedule &m_schedule;
  const Shape &m_shape;
  const Machine &m_machine;
  const KernelRuns &m_runs;
  LoadScratch &m_scratch;
  std::vector<std::int64_t> &m_words;
  bool m_isCached = false;
};

} // namespace

void describe(const Schedule &schedule, const Shape &shape, const Machine &machine,
              const KernelRuns &runs, const Run &run, LoadScratch &scratch,
              std::vector<std::int64_t> &words) {
  Describer(schedule, shape, machine, runs, scratch, words).write(run);
}

} // namespace tessera::cost
