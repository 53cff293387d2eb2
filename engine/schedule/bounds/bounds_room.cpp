// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/bounds_room.h"

#include <utility>

namespace tessera::schedule {

SizesSoFar ShapeRoom::begin(const Schedule &schedule) {
  m_bounds.renew(schedule, {});
  return SizesSoFar(*this);
}

const Bounds &SizesSoFar::finish(const Schedule &schedule, std::span<const pipeline::FuncId> only,
                                 ShapeRoom &into) && {
  std::swap(into.m_bounds, m_room->m_bounds);
  into.m_bounds.addRest(schedule, only);
  return into.m_bounds;
}

} // namespace tessera::schedule
