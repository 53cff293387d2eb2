// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/evaluator.h"
#include "engine/search/kernels/group.h"

namespace tessera::search {

// What our cost says of single groups of schedules.
class GroupTimer {
public:
  GroupTimer(const schedule::Schedule &start, const machine::Machine &machine)
      : m_machine(machine), m_evaluator(start, {}, machine, 0) {}

  // Of all that is told next: how much of its traffic the second-level cache does not hold.
  void setTraffic(const schedule::Schedule &whole);

  // Of a run of the group's kernel; infinite where it is too long for a compiler, or keeps too
  // much in shared memory.
  double secondsOf(schedule::Schedule schedule, const Group &group);
  // The same of what withGroup() has written and measured a part of.
  double secondsOf(WrittenGroup written, const Group &group);

private:
  double seconds();

  const machine::Machine &m_machine;
  cost::Evaluator m_evaluator;
  double m_fromDram = 0;
};

} // namespace tessera::search
