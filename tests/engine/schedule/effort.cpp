// SPDX-License-Identifier: MIT
#include "tests/engine/schedule/effort.h"

#include "engine/schedule/bounds/bounds.h"

#include <algorithm>
#include <map>
#include <vector>

namespace tessera::schedule::testing {

using pipeline::EdgeId;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Stage;
using pipeline::StageId;

namespace {

class Measure {
public:
  explicit Measure(const Schedule &schedule)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_bounds(schedule),
        m_inlined(m_pipeline.funcs().size(), 1) {}

  Effort measure() {
    for (std::size_t f = 0; f < m_inlined.size(); ++f)
      if (m_schedule.plan(static_cast<FuncId>(f)).isInline())
        m_inlined[f] = sizeOf(m_pipeline.func(static_cast<FuncId>(f)).firstStage);
    std::map<FuncId, double> kernels;
    for (std::size_t s = 0; s < m_pipeline.stages().size(); ++s) {
      const auto id = static_cast<StageId>(s);
      const FuncId func = m_pipeline.stage(id).func;
      if (m_schedule.plan(func).isInline()) continue;
      double iterations = timesComputed(func), copies = 1;
      const LoopNest &nest = m_schedule.plan(id).nest;
      for (std::size_t l = 0; l < nest.loops.size(); ++l) {
        const auto count = static_cast<double>(m_bounds.of(id).loops[l]);
        iterations *= count;
        // GPU kernels have no vector instructions, so vectorised loops become copies, as unrolled
        // ones do.
        const LoopKind kind = nest.loops[l].kind;
        if (kind == LoopKind::Unrolled || kind == LoopKind::Vectorized) copies *= count;
      }
      const double size = sizeOf(id);
      m_effort.work += iterations * size;
      kernels[m_bounds.of(func).kernel] += copies * size;
    }
    for (const auto &[kernel, size] : kernels)
      m_effort.code = std::max(m_effort.code, size);
    return m_effort;
  }

private:
  // Returns the operations and loads of one evaluation of a stage, including its inlined producers.
  double sizeOf(StageId id) const {
    double size = 1;
    for (const pipeline::OpCount &count : m_pipeline.stage(id).operations)
      size += count.count;
    for (const EdgeId edge : m_pipeline.edgesInto(id)) {
      const pipeline::Edge &read = m_pipeline.edge(edge);
      const bool isFunc = read.producer.kind == pipeline::Producer::Kind::Func;
      size += read.loads * (isFunc ? m_inlined[read.producer.index] : 1);
    }
    return size;
  }

  double timesComputed(FuncId func) const {
    const Place &place = m_schedule.plan(func).compute;
    if (place.kind != Place::Kind::At) return 1;
    double times = timesComputed(m_pipeline.stage(place.stage).func);
    const LoopNest &nest = m_schedule.plan(place.stage).nest;
    for (std::size_t l = *nest.find(place.loop); l < nest.loops.size(); ++l)
      times *= static_cast<double>(m_bounds.of(place.stage).loops[l]);
    return times;
  }

  const Schedule &m_schedule;
  const Pipeline &m_pipeline;
  const Bounds m_bounds;
  // Indexed by func: the size of one evaluation if the func is inlined, else 1.
  std::vector<double> m_inlined;
  Effort m_effort;
};

} // namespace

Effort effortOf(const Schedule &schedule) { return Measure(schedule).measure(); }

} // namespace tessera::schedule::testing
