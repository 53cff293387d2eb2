// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <span>
#include <vector>

namespace tessera::cost {

// What stages of a kernel that are computed at the same place of a thread, in straight-line code,
// have loaded: the next one finds it in registers.
class LoadedByThread {
public:
  // The part of a box that nobody before has loaded there; from now on, it is.
  double newPartOf(pipeline::Producer producer, std::span<const pipeline::Interval> box,
                   const schedule::Place &at);
  void clear(); // of another kernel

private:
  struct Box {
    pipeline::Producer producer;
    schedule::Place at;
    std::size_t firstSide = 0; // of its own among those of all
  };
  std::vector<Box> m_boxes;
  std::vector<pipeline::Interval> m_sides;
};

} // namespace tessera::cost
