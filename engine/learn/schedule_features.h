// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/features.h"
#include "engine/cost/load/kernel_runs.h"
#include "engine/cost/load/load_scratch.h"
#include "engine/cost/load/loaded_by_thread.h"
#include "engine/machine/machine.h"
#include "engine/schedule/bounds/bounds_room.h"
#include "engine/schedule/schedule.h"

#include <vector>

namespace tessera::learn {

// Finds the features of one schedule after another, and reuses the memory. Each thread needs one of
// its own. A func that a search has not decided about yet may be a kernel of its own with a warp in
// each block.
class ScheduleFeaturizer {
public:
  explicit ScheduleFeaturizer(const machine::Machine &machine) : m_machine(machine) {}
  ScheduleFeaturizer(const ScheduleFeaturizer &) = delete;
  ScheduleFeaturizer &operator=(const ScheduleFeaturizer &) = delete;

  // Of each stage of schedule.pipeline(). The schedule has to be legal. The reference is valid
  // until the next call.
  const std::vector<ScheduleFeatures> &of(const schedule::Schedule &schedule);

private:
  class Builder;

  machine::Machine m_machine;
  schedule::ShapeRoom m_room;
  cost::KernelRuns m_runs;
  cost::LoadScratch m_scratch;
  cost::LoadedByThread m_loaded;
  std::vector<cost::AccessLoad> m_accesses;
  std::vector<double> m_branching; // by func
  std::vector<ScheduleFeatures> m_features;
};

std::vector<ScheduleFeatures> scheduleFeatures(const schedule::Schedule &schedule,
                                               const machine::Machine &machine);

} // namespace tessera::learn
