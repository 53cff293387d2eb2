// SPDX-License-Identifier: MIT
#include "engine/schedule/shape_room.h"

#include <utility>

namespace tessera::schedule {

SizesSoFar ShapeRoom::begin(const Schedule &schedule) {
  m_shape.renew(schedule, {});
  return SizesSoFar(*this);
}

const Shape &SizesSoFar::finish(const Schedule &schedule, std::span<const pipeline::FuncId> only,
                                ShapeRoom &into) && {
  std::swap(into.m_shape, m_room->m_shape);
  into.m_shape.addRest(schedule, only);
  return into.m_shape;
}

} // namespace tessera::schedule
