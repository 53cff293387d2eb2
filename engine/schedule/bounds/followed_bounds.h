// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/schedule.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tessera::schedule {

// The bounds of a whole schedule that is replaced by similar ones. Only what a change reaches is
// measured again.
class FollowedBounds {
public:
  explicit FollowedBounds(const Schedule &schedule) : m_bounds(schedule), m_schedule(schedule) {
    m_bytes = m_bounds.m_arena.bytes();
  }

  const Bounds &bounds() const { return m_bounds; }
  const Schedule &schedule() const { return m_schedule; } // the schedule that bounds() is for

  // Whether follow() can go on to `schedule`, because it differs only in plans. False also if old
  // measurements, which only renew() frees, take too much memory.
  bool mayFollow(const Schedule &schedule) const;
  // Measures everything again, in the same memory.
  void renew(const Schedule &schedule);
  // Measures a schedule that differs only in the plans of the funcs `changed`. Returns the funcs
  // that the change reaches, sorted by id: inlined funcs, and all funcs of the reached kernels.
  std::vector<pipeline::FuncId> follow(const Schedule &after,
                                       std::span<const pipeline::FuncId> changed);

private:
  Bounds m_bounds;
  Schedule m_schedule;
  std::size_t m_bytes = 0; // memory of the bounds when all were last measured
};

} // namespace tessera::schedule
