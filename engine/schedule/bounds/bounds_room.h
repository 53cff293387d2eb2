// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/bounds.h"

#include <span>

namespace tessera::schedule {

class SizesSoFar;

// Memory in which bounds are measured one after another. Each measurement replaces the one before.
class ShapeRoom {
public:
  // Measures only some funcs, as the constructor of Bounds does: only sizes are valid.
  const Bounds &measure(const Schedule &schedule, std::span<const pipeline::FuncId> only) {
    m_bounds.renew(schedule, only);
    return m_bounds;
  }
  // Starts with no func measured.
  SizesSoFar begin(const Schedule &schedule);

private:
  friend class SizesSoFar;
  Bounds m_bounds;
};

// The sizes of some kernels while only a part of their funcs is decided. Consumers come first,
// since the loops of its consumers determine what a func has to compute. The sizes lie in the room
// in which they were begun, and are valid until something else is measured there.
class SizesSoFar {
public:
  // Adds a func with a lower number than all before. May also repeat the last one, if only its own
  // loops have changed.
  void add(const Schedule &schedule, pipeline::FuncId func) {
    m_room->m_bounds.add(schedule, func);
  }
  const Bounds &bounds() const { return m_room->m_bounds; }

  // Measures the missing funcs of `only`, which lists funcs by rising number; its last ones are
  // measured already. Moves all sizes into the room `into` and takes over the old contents of that
  // room.
  const Bounds &finish(const Schedule &schedule, std::span<const pipeline::FuncId> only,
                       ShapeRoom &into) &&;

private:
  friend class ShapeRoom;
  explicit SizesSoFar(ShapeRoom &room) : m_room(&room) {}

  ShapeRoom *m_room;
};

} // namespace tessera::schedule
