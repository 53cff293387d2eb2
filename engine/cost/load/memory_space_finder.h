// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"

#include <vector>

namespace tessera::cost {

// Finds in which memory the funcs of a schedule are kept, from the runs of its stages.
class MemorySpaceFinder {
public:
  MemorySpaceFinder(const KernelRuns &runs, const schedule::Schedule &schedule,
                    const schedule::Bounds &bounds)
      : m_runs(runs), m_schedule(schedule), m_bounds(bounds), m_pipeline(*schedule.pipeline()) {}

  MemorySpace find(pipeline::FuncId id);

  // Whether the func is stored in registers at block level, so that each thread holds a part of it.
  bool isDealtOut(pipeline::FuncId id) const;

private:
  bool hasIdleThreads(pipeline::FuncId id) const;
  bool isIndexed(pipeline::FuncId id);
  bool readsElsewhere(const Run &reader, const FlatLoop &loop, pipeline::FuncId id);

  const KernelRuns &m_runs;
  const schedule::Schedule &m_schedule;
  const schedule::Bounds &m_bounds;
  const pipeline::Pipeline &m_pipeline;
  std::vector<pipeline::Interval> m_here, m_there;
};

} // namespace tessera::cost
