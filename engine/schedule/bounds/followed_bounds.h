// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/bounds/bounds.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tessera::schedule {

// The shape of a whole schedule that goes along from one schedule to the next: what a change cannot
// reach stays as it was measured.
class FollowedShape {
public:
  explicit FollowedShape(const Schedule &schedule) : m_bounds(schedule), m_schedule(schedule) {
    m_bytes = m_bounds.m_arena.bytes();
  }

  const Bounds &bounds() const { return m_bounds; }
  const Schedule &schedule() const { return m_schedule; } // that is measured

  // Whether another schedule differs in plans alone, and following it saves something: the room of
  // what is measured again is free only once all is measured anew.
  bool mayFollow(const Schedule &schedule) const;
  // Measures all anew, in the room that there is.
  void renew(const Schedule &schedule);
  // Goes along to a schedule in which these funcs are planned otherwise. Returns whom that reaches,
  // by rising number: inlined funcs, and of kernels all funcs.
  std::vector<pipeline::FuncId> follow(const Schedule &after,
                                       std::span<const pipeline::FuncId> changed);

private:
  Bounds m_bounds;
  Schedule m_schedule;
  std::size_t m_bytes = 0; // of the shape, when all of it was measured last
};

} // namespace tessera::schedule
