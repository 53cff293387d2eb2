// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/bounds.h"

#include <span>

namespace tessera::schedule {

class SizesSoFar;

// Memory in which shapes are measured one after another. What was measured there before is
// forgotten.
class ShapeRoom {
public:
  // Of some funcs, as Bounds's constructor: sizes alone.
  const Bounds &measure(const Schedule &schedule, std::span<const pipeline::FuncId> only) {
    m_bounds.renew(schedule, only);
    return m_bounds;
  }
  // Of no func yet.
  SizesSoFar begin(const Schedule &schedule);

private:
  friend class SizesSoFar;
  Bounds m_bounds;
};

// The sizes of those funcs of some kernels that are written already, while the others are not:
// consumers first, as what a func has to compute follows from the loops of its consumers. Lies in
// the room that it was begun in, and stands until something else is measured there.
class SizesSoFar {
public:
  // One more func, with a lower number than all before, or the last one again: only its own loops
  // may be others by now.
  void add(const Schedule &schedule, pipeline::FuncId func) {
    m_room->m_bounds.add(schedule, func);
  }
  const Bounds &bounds() const { return m_room->m_bounds; }

  // Measures those of some funcs, by rising number, that are missing: the last of them are
  // measured. Moves all into another room, and leaves what that had.
  const Bounds &finish(const Schedule &schedule, std::span<const pipeline::FuncId> only,
                       ShapeRoom &into) &&;

private:
  friend class ShapeRoom;
  explicit SizesSoFar(ShapeRoom &room) : m_room(&room) {}

  ShapeRoom *m_room;
};

} // namespace tessera::schedule
