// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/stage_inputs.h"

#include "engine/cost/prediction.h"
#include "engine/cost/time/registers.h"
#include "engine/pipeline/footprint.h"
#include "engine/pipeline/measures.h"

#include <algorithm>
#include <functional>
#include <set>

namespace tessera::search {

using cost::Slots;
using cost::StageLoad;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using schedule::Schedule;

namespace {

// Clocks of a warp of one thread for the instructions of a body. The warp lies in one partition of
// its multiprocessor, and each instruction waits for the one before.
double clocksOf(const Slots &slots, const machine::Machine &machine) {
  const double step = cost::TimeConstants().chainStep;
  const auto warp = static_cast<double>(machine.limits.warpSize);
  const auto partitions = static_cast<double>(machine.sm.partitions);
  const auto of = [&](double instructions, double rate) {
    return instructions > 0 ? instructions * std::max(step, warp * partitions / rate) : 0;
  };
  return of(slots.fp32, machine.sm.fp32) + of(slots.fp64, machine.sm.fp64) +
         of(slots.fp16, machine.sm.fp16) + of(slots.integer, machine.sm.int32) +
         of(slots.products, machine.sm.fp32) + of(slots.special, machine.sm.special);
}

// Loads follow each other without waiting, and only the first is waited for.
double secondsOf(const StageLoad &load, const machine::Machine &machine) {
  const double loads = load.loads + load.sharedAccesses;
  const double waited = loads > 0 ? machine.memory.sharedLatency + loads : 0;
  return (waited + clocksOf(load.arithmetic, machine)) / load.points / machine.clockHz;
}

double evaluationsPerPoint(const Pipeline &pipeline, const Stage &stage) {
  const auto points = static_cast<double>(
      std::max<std::int64_t>(1, pipeline::volume(pipeline.func(stage.func).region)));
  return static_cast<double>(pipeline::evaluationCount(stage)) / points;
}

} // namespace

StageMeasures modelledMeasures(const Schedule &apart, const machine::Machine &machine,
                               std::span<const report::KernelReport> compiled) {
  const Pipeline &pipeline = *apart.pipeline();
  StageMeasures measures;
  for (const auto &kernel : cost::predict(apart, machine).kernels) {
    StageMeasure &of = measures[pipeline.stage(kernel.load.stage).func];
    const cost::Registers registers(kernel.load,
                                    static_cast<int>(machine.limits.registersPerThread),
                                    cost::assembledOf(pipeline, kernel.load, compiled));
    of.registers = std::max(of.registers, static_cast<double>(registers.used()));
    for (const StageLoad &load : kernel.load.stages) {
      const Stage &stage = pipeline.stage(load.stage);
      of.seconds += secondsOf(load, machine) * evaluationsPerPoint(pipeline, stage);
    }
  }
  return measures;
}

std::vector<FuncId> inlinedInto(const Schedule &schedule, FuncId func) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::set<FuncId, std::greater<>> found; // a func reads only funcs of lower numbers
  const auto look = [&](FuncId reader) {
    for (const pipeline::StageId stage : pipeline.stageIdsOf(reader))
      for (const pipeline::EdgeId id : pipeline.edgesInto(stage)) {
        const Producer producer = pipeline.edge(id).producer;
        const FuncId from{producer.index};
        if (producer.kind == Producer::Kind::Func && from != reader &&
            schedule.plan(from).isInline())
          found.insert(from);
      }
  };
  look(func);
  for (const FuncId inlined : found)
    look(inlined);
  return {found.rbegin(), found.rend()};
}

namespace {

// Finds what one point of a func loads.
class LoadFinder {
public:
  LoadFinder(const Schedule &schedule, FuncId func)
      : m_pipeline(*schedule.pipeline()), m_func(func), m_inlined(inlinedInto(schedule, func)) {}

  std::vector<ProducerLoads> find() {
    for (const Stage &stage : m_pipeline.stagesOf(m_func))
      count(stage, evaluationsPerPoint(m_pipeline, stage));
    for (auto call = m_calls.begin(); call != m_calls.end(); ++call)
      count(m_pipeline.stagesOf(call->first).front(), call->second);
    findStrides();
    return std::move(m_loads);
  }

private:
  void count(const Stage &stage, double times) {
    for (const pipeline::Access &load : stage.loads) {
      const FuncId from{load.producer.index};
      if (load.producer.kind == Producer::Kind::Input) {
        if (m_pipeline.inputs()[load.producer.index].isScalar) continue;
      } else if (from == m_func) {
        continue;
      } else if (std::ranges::binary_search(m_inlined, from)) {
        m_calls[from] += times * load.different;
        continue;
      }
      ProducerLoads &loads = loadsFrom(load.producer);
      loads.count += times * load.different;
      lookForData(load, loads);
    }
  }

  ProducerLoads &loadsFrom(Producer producer) {
    const auto known = std::ranges::find(m_loads, producer, &ProducerLoads::producer);
    if (known != m_loads.end()) return *known;
    const bool isInput = producer.kind == Producer::Kind::Input;
    const double bytes =
        isInput
            ? m_pipeline.inputs()[producer.index].type.bytes()
            : static_cast<double>(pipeline::elementBytes(m_pipeline.func(FuncId{producer.index})));
    return m_loads.emplace_back(ProducerLoads{producer, 0, bytes, {}, 0, 1});
  }

  void lookForData(const pipeline::Access &load, ProducerLoads &loads) const {
    const pipeline::Box whole = m_pipeline.producerRegion(load.producer);
    double places = 1;
    for (std::size_t d = 0; d < load.indices.size(); ++d)
      if (load.indices[d].precision == pipeline::Precision::Whole && !load.indices[d].decidedBy)
        places *= static_cast<double>(whole[d].bounded() ? whole[d].extent() : 1);
    loads.places = std::max(loads.places, places);
    loads.scattered = loads.places > 1 ? loads.places * loads.bytes : 0;
  }

  // Strides are found by moving a point and looking how far what it reads has moved. The step is
  // long, so that an index such as x/2 moves.
  void findStrides() {
    constexpr std::int64_t kStep = 64;
    std::vector<FuncId> funcs = m_inlined;
    funcs.push_back(m_func);
    const pipeline::FootprintPlan plan(m_pipeline, funcs, m_func);
    pipeline::Box point;
    for (const Interval &side : m_pipeline.func(m_func).region) {
      const std::int64_t middle = side.empty() ? 0 : side.min + side.extent() / 2;
      point.push_back({middle, middle});
    }
    std::vector<Interval> here(plan.boxDims()), there(plan.boxDims());
    plan.evaluate(point, here);
    for (std::size_t d = 0; d < point.size(); ++d) {
      pipeline::Box moved = point;
      moved[d] = {point[d].min + kStep, point[d].max + kStep};
      plan.evaluate(moved, there);
      for (const auto &entry : plan.entries()) {
        const auto loads = std::ranges::find(m_loads, entry.producer, &ProducerLoads::producer);
        if (loads != m_loads.end())
          loads->strides.push_back(bytesBetween(entry, here, there) / kStep);
      }
    }
  }

  double bytesBetween(const pipeline::FootprintPlan::Entry &entry, std::span<const Interval> here,
                      std::span<const Interval> there) const {
    const pipeline::Box whole = m_pipeline.producerRegion(entry.producer);
    double bytes = 0;
    double stride = std::ranges::find(m_loads, entry.producer, &ProducerLoads::producer)->bytes;
    for (std::size_t i = 0; i < entry.dims; ++i) {
      const Interval &from = here[entry.firstDim + i], &to = there[entry.firstDim + i];
      if (from.bounded() && to.bounded()) bytes += stride * static_cast<double>(to.min - from.min);
      stride *= static_cast<double>(whole[i].bounded() ? whole[i].extent() : 1);
    }
    return bytes;
  }

  const Pipeline &m_pipeline;
  const FuncId m_func;
  const std::vector<FuncId> m_inlined;
  std::map<FuncId, double, std::greater<>> m_calls; // of inlined funcs; consumers first
  std::vector<ProducerLoads> m_loads;
};

} // namespace

std::vector<ProducerLoads> loadsOf(const Schedule &schedule, FuncId func) {
  return LoadFinder(schedule, func).find();
}

} // namespace tessera::search
