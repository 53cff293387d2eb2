// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/followed_bounds.h"

#include <utility>

namespace tessera::schedule {

namespace {

// follow() may let memory grow to this multiple of its size after renew().
constexpr std::size_t kMostGrown = 4;

} // namespace

bool FollowedBounds::mayFollow(const Schedule &schedule) const {
  return m_schedule.pipeline() == schedule.pipeline() &&
         m_schedule.settings() == schedule.settings() &&
         m_bounds.m_arena.bytes() <= kMostGrown * m_bytes;
}

void FollowedBounds::renew(const Schedule &schedule) {
  m_bounds.renew(schedule);
  m_bytes = m_bounds.m_arena.bytes();
  m_schedule = schedule;
}

std::vector<pipeline::FuncId> FollowedBounds::follow(const Schedule &after,
                                                     std::span<const pipeline::FuncId> changed) {
  std::vector<pipeline::FuncId> reached = m_bounds.follow(m_schedule, after, changed);
  m_schedule = after;
  return reached;
}

} // namespace tessera::schedule
