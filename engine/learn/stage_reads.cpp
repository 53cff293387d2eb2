// SPDX-License-Identifier: MIT
#include "engine/learn/stage_reads.h"

#include "engine/pipeline/measures.h"

#include <algorithm>
#include <optional>

namespace tessera::learn {

using cost::MemorySpace;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Producer;

namespace {

using Intervals = std::vector<Interval>;

std::optional<StageReads::Memory> memoryOf(MemorySpace space) {
  switch (space) {
  case MemorySpace::Global:
    return StageReads::Global;
  case MemorySpace::Shared:
    return StageReads::Shared;
  case MemorySpace::Registers:
    return StageReads::Registers;
  case MemorySpace::Local:
  case MemorySpace::Apart:
    break;
  }
  return std::nullopt;
}

class StageReader {
public:
  StageReader(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
              const cost::KernelRuns &runs, const cost::Run &run, std::span<const double> realized)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_bounds(bounds), m_runs(runs),
        m_run(run), m_stage(m_pipeline.stage(run.stage)), m_realized(realized) {}

  StageReads read() {
    const Intervals whole = overRealization(), block = overBlock(), thread = overThread();
    Intervals point = m_run.base;
    for (Interval &one : point)
      one.max = one.min;
    boxesOf(whole, m_whole);
    boxesOf(block, m_block);
    boxesOf(thread, m_thread);
    boxesOf(point, m_point);
    for (const cost::Reads::Source &source : m_run.reads->sources())
      if (!source.inlined && !source.self) add(source);
    if (m_stage.index > 0) addOwnFunc();
    return std::move(m_reads);
  }

private:
  void boxesOf(const Intervals &over, Intervals &boxes) const {
    m_run.reads->evaluate(over, boxes);
  }

  // The loops of the stage over everything that is computed at its place.
  Intervals overRealization() const {
    Intervals over;
    const auto &dims = m_bounds.of(m_run.stage).dims;
    for (std::size_t d = 0; d < m_stage.loops.size(); ++d) {
      const pipeline::LoopDim &loop = m_stage.loops[d];
      if (m_run.depth == schedule::Depth::Host)
        over.push_back(loop.argument ? m_pipeline.func(m_stage.func).region[*loop.argument]
                                     : loop.range);
      else
        over.push_back({m_run.base[d].min, m_run.base[d].min + dims[d] - 1});
    }
    return over;
  }

  template <typename Counts>
  Intervals overLoops(const Counts &counts) const {
    Intervals over = m_run.base;
    for (const cost::FlatLoop &loop : m_run.loops)
      if (counts(loop)) over[loop.dim].max += loop.reach();
    return over;
  }
  Intervals overThread() const {
    return overLoops([this](const cost::FlatLoop &loop) { return m_run.isInThread(loop); });
  }
  Intervals overBlock() const {
    return overLoops([this](const cost::FlatLoop &loop) {
      return cost::isThread(loop.kind) || m_run.isInThread(loop);
    });
  }

  double elementBytes(Producer producer) const {
    if (producer.kind == Producer::Kind::Func)
      return static_cast<double>(pipeline::elementBytes(m_pipeline.func(FuncId{producer.index})));
    return m_pipeline.input(pipeline::InputId{producer.index}).type.bytes();
  }

  void add(const cost::Reads::Source &source) {
    const Producer producer = source.producer;
    const bool isFunc = producer.kind == Producer::Kind::Func;
    const double bytes = elementBytes(producer);
    const std::size_t innermost =
        isFunc ? innermostDim(m_schedule.plan(FuncId{producer.index})) : 0;
    const auto amount = [&](const Intervals &boxes) {
      return amountOf(source.boxIn(boxes), bytes, innermost);
    };
    m_reads.point += amount(m_point);
    const MemorySpace space = isFunc ? m_runs.space(FuncId{producer.index}) : MemorySpace::Global;
    const std::optional<StageReads::Memory> memory = memoryOf(space);
    if (!memory) return;
    const auto m = static_cast<std::size_t>(*memory);
    if (*memory == StageReads::Global) {
      const std::span<const Interval> box = source.boxIn(m_block);
      m_reads.block.push_back({producer, {box.begin(), box.end()}});
    }
    if (!isFunc) {
      m_reads.allocations[m] += amountOf(m_run.reads->wholeOf(source), bytes, innermost).bytes;
    } else {
      const auto kept = m_bounds.of(FuncId{producer.index}).computed;
      m_reads.allocations[m] += amountOf(kept, bytes, innermost).bytes;
      // What is allocated in the loops of the stage is read whole, each time anew.
      if (m_realized[producer.index] > m_realized[index(m_stage.func)]) {
        const Amount allocated = amountOf(kept, bytes, innermost);
        const bool isOfThread =
            m_bounds.of(FuncId{producer.index}).depth == schedule::Depth::Thread;
        m_reads.realization[m] += allocated;
        m_reads.thread[m] += isOfThread ? allocated : amount(m_thread);
        return;
      }
    }
    m_reads.realization[m] += amount(m_whole);
    m_reads.thread[m] += amount(m_thread);
  }

  // An update is taken to need all that was computed of its func before.
  void addOwnFunc() {
    const std::optional<StageReads::Memory> memory = memoryOf(m_runs.space(m_stage.func));
    if (!memory) return;
    const Amount own =
        amountOf(m_bounds.of(m_stage.func).computed, elementBytes(Producer::func(m_stage.func)),
                 innermostDim(m_schedule.plan(m_stage.func)));
    m_reads.realization[*memory] += own;
    m_reads.allocations[*memory] += own.bytes;
  }

  const schedule::Schedule &m_schedule;
  const pipeline::Pipeline &m_pipeline;
  const schedule::Bounds &m_bounds;
  const cost::KernelRuns &m_runs;
  const cost::Run &m_run;
  const pipeline::Stage &m_stage;
  std::span<const double> m_realized;
  Intervals m_whole, m_block, m_thread, m_point; // boxes of all sources
  StageReads m_reads;
};

} // namespace

std::size_t innermostDim(const schedule::FuncPlan &plan) {
  return plan.layout.empty() ? 0 : plan.layout.front();
}

Amount amountOf(std::span<const Interval> box, double elementBytes, std::size_t innermost) {
  Amount amount{elementBytes, 1};
  for (std::size_t d = 0; d < box.size(); ++d) {
    const auto extent = static_cast<double>(box[d].extent());
    amount.bytes *= extent;
    if (d != innermost) amount.lines *= extent;
  }
  return amount;
}

StageReads stageReads(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                      const cost::KernelRuns &runs, const cost::Run &run,
                      std::span<const double> realizations) {
  return StageReader(schedule, bounds, runs, run, realizations).read();
}

} // namespace tessera::learn
