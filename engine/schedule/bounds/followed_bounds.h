// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/bounds/bounds.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tessera::schedule {

// The bounds of a whole schedule that is replaced by similar ones. What a change cannot reach is
// not measured again.
class FollowedShape {
public:
  explicit FollowedShape(const Schedule &schedule) : m_bounds(schedule), m_schedule(schedule) {
    m_bytes = m_bounds.m_arena.bytes();
  }

  const Bounds &bounds() const { return m_bounds; }
  const Schedule &schedule() const { return m_schedule; } // the measured one

  // Whether another schedule differs only in plans, and following it saves time. The memory of old
  // measurements is freed only when everything is measured again.
  bool mayFollow(const Schedule &schedule) const;
  // Measures everything again, in the same memory.
  void renew(const Schedule &schedule);
  // Goes on to a schedule in which these funcs have other plans. Returns the funcs that the change
  // reaches, by rising number: inlined funcs, and all funcs of the kernels that it reaches.
  std::vector<pipeline::FuncId> follow(const Schedule &after,
                                       std::span<const pipeline::FuncId> changed);

private:
  Bounds m_bounds;
  Schedule m_schedule;
  std::size_t m_bytes = 0; // of the bounds, when all of them were measured last
};

} // namespace tessera::schedule
