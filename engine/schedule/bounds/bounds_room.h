// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/bounds.h"

#include <span>

namespace tessera::schedule {

class SizesSoFar;

// Memory in which bounds are measured one after another. Each measurement replaces the one before.
class ShapeRoom {
public:
  // Measures only the funcs in `only`. As with the constructor of Bounds, only sizes are valid
  // then.
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

// The sizes of some kernels while only a part of their funcs is decided. Consumers are added first,
// since their loops determine what a producer has to compute. The sizes lie in the ShapeRoom in
// which they were begun, and are valid until something else is measured in it.
class SizesSoFar {
public:
  // Adds a func; its id has to be lower than those of all funcs added before. The last func may be
  // added again if only its own loops have changed.
  void add(const Schedule &schedule, pipeline::FuncId func) {
    m_room->m_bounds.add(schedule, func);
  }
  const Bounds &bounds() const { return m_room->m_bounds; }

  // Measures the funcs of `only` that have not been added. `only` is sorted by id, and the funcs at
  // its end have been added. The sizes move into the room `into`, in exchange for its old contents.
  const Bounds &finish(const Schedule &schedule, std::span<const pipeline::FuncId> only,
                       ShapeRoom &into) &&;

private:
  friend class ShapeRoom;
  explicit SizesSoFar(ShapeRoom &room) : m_room(&room) {}

  ShapeRoom *m_room;
};

} // namespace tessera::schedule
