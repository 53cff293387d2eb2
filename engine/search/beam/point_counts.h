// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/schedule.h"

#include <map>

namespace tessera::search {

// How many points of a func a schedule computes in one run of the pipeline, with those that it
// computes again and again. Section 6.6 of Anderson et al. 2021 prunes by it.
class PointCounts {
public:
  // `bounds` has to cover the funcs that are asked for, and all that is around or reads them.
  PointCounts(const schedule::Schedule &schedule, const schedule::Bounds &bounds)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_bounds(bounds) {}

  // Evaluations of a stage. Of an inlined func, one for each load of it.
  double of(pipeline::StageId stage);
  double of(pipeline::FuncId func); // of all its stages
  // What a func needs at least: each point once.
  static double least(const pipeline::Pipeline &pipeline, pipeline::FuncId func);

private:
  double timesOf(const schedule::Place &place) const;
  double callsOf(pipeline::FuncId func);

  const schedule::Schedule &m_schedule;
  const pipeline::Pipeline &m_pipeline;
  const schedule::Bounds &m_bounds;
  std::map<pipeline::FuncId, double> m_calls; // of inlined funcs
};

} // namespace tessera::search
