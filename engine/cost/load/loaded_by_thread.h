// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <span>
#include <vector>

namespace tessera::cost {

// What the threads of a kernel have loaded so far, for stages at the same place in straight-line
// code. A later stage at that place finds these values in registers.
class LoadedByThread {
public:
  // The part of a box that has not been loaded at this place before. The box is then remembered as
  // loaded.
  double newPartOf(pipeline::Producer producer, std::span<const pipeline::Interval> box,
                   const schedule::Place &at);
  void clear(); // forgets all loads, for another kernel

private:
  struct Box {
    pipeline::Producer producer;
    schedule::Place at;
    std::size_t firstSide = 0; // index of its first side in m_sides
  };
  std::vector<Box> m_boxes;
  std::vector<pipeline::Interval> m_sides;
};

} // namespace tessera::cost
