// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/kernels/group.h"
#include "engine/cost/evaluator.h"

namespace tessera::search {

// Predicts the time of single groups of schedules.
class GroupTimer {
public:
  GroupTimer(const schedule::Schedule &start, const machine::Machine &machine)
      : m_machine(machine), m_evaluator(start, {}, machine, 0) {}

  // Sets how much of the traffic misses the second-level cache, for all later predictions.
  void setTraffic(const schedule::Schedule &whole);

  // Seconds that the group's kernel takes in one run. Infinite if its code is too long for a
  // compiler or it needs too much shared memory.
  double secondsOf(schedule::Schedule schedule, const Group &group);
  // Seconds of a group that withGroup() wrote. The sizes found there are reused.
  double secondsOf(WrittenGroup written, const Group &group);

private:
  double seconds();

  const machine::Machine &m_machine;
  cost::Evaluator m_evaluator;
  double m_fromDram = 0;
};

} // namespace tessera::search
